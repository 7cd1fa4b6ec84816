"""What the metric loses when a column is shuffled, as bars."""

import pandas as pd
import plotly.graph_objects as go

from anyloss_core.figures.style import GREY, loss_colour, new_figure, plain

MOST = 20  # columns that are drawn; the table has them all
BAR = 26  # pixels
LONGEST = 28  # characters of a name


def importance_bars(table: pd.DataFrame, loss: str, metric: str) -> go.Figure:
    """Mean loss of the metric of the first columns, with one standard deviation; largest above."""
    shown = table.head(MOST).iloc[::-1]
    title = f"what {metric} loses when the column is shuffled"
    figure = new_figure(title, height=110 + BAR * len(shown), showlegend=False)
    figure.add_bar(
        x=shown["mean"],
        y=list(range(len(shown))),
        orientation="h",
        marker_color=loss_colour(loss),
        error_x={"array": shown["std"], "color": GREY},
        hovertemplate="%{x:.4f}<extra></extra>",
    )
    names = [plain(str(name), LONGEST) for name in shown["column"]]
    figure.update_yaxes(tickvals=list(range(len(shown))), ticktext=names, showgrid=False)
    figure.update_layout(margin={"t": 12}, bargap=0.3)
    return figure
