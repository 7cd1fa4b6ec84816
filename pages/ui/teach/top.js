// A lesson begins at its top, however far down the button was that led to it.
export default function ({ data }) {
  if (window.anylossLesson !== undefined && window.anylossLesson !== data.lesson) {
    document.querySelector("[data-testid=stMain]")?.scrollTo({ top: 0 });
  }
  window.anylossLesson = data.lesson;
}
