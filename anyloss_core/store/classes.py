"""Classes that guess together: a code to join, one guess for each visitor and lesson, one reveal.

A class belongs to who opened it: only that visitor reveals and closes it. Nobody is named: a guess
is kept under a hash of the class and the visitor, which leads to no run and to no other class.
What a guess is, is not known here: it is a short text. With its class it is gone, when the owner
closes it or after a day without any use.
"""

import hashlib
import re
import secrets
import sqlite3
import time
from dataclasses import dataclass

from anyloss_core.store.database import Database, StoreError

# Letters and digits that nobody mixes up on a projector: 31^8 codes, 40 bits. At most MOST_CLASSES
# of them are in use, so a guessed one is right once in nearly a thousand million times; it would
# let somebody guess along.
LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
CODE_LENGTH = 8
CODE = re.compile(f"[{LETTERS}]{{{CODE_LENGTH}}}")
UNUSED_SECONDS = 24 * 3600.0  # after the last guess or reveal
MOST_CLASSES = 1_000  # of all visitors
MOST_OWNED = 5  # of one
MOST_GUESSES = 5_000  # of a class, all lessons together
LONGEST_GUESS = 1_000  # characters
LONGEST_LESSON = 40


class UnknownClass(StoreError):
    """No class has this code (any more)."""


@dataclass(frozen=True)
class Look:
    """One lesson of a class, as one visitor may see it."""

    revealed: bool
    guesses: int  # how many
    own: str | None  # what this visitor guessed
    mine: bool  # whether the class is this visitor's


class Classes:
    """All classes of a store."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def open(self, owner: str) -> str:
        """A new class; returns its code."""
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        with self.database.write() as connection:
            _forget_unused(connection)
            _check_quota(connection, owner)
            now = time.time()
            connection.execute("INSERT INTO classes VALUES (?, ?, ?)", (code, owner, now))
        return code

    def guess(self, code: str, lesson: str, visitor: str, text: str) -> bool:
        """Keep a guess; False if it is too late: there was one, or the answer is revealed."""
        if len(text) > LONGEST_GUESS or len(lesson) > LONGEST_LESSON:
            raise StoreError("this is no guess: it is too long")
        with self.database.write() as connection:
            _find(connection, code)
            if _is_revealed(connection, code, lesson):
                return False
            held = connection.execute("SELECT count(*) FROM guesses WHERE code = ?", (code,))
            if held.fetchone()[0] >= MOST_GUESSES:
                raise StoreError("this class has all the guesses that it can hold")
            kept = connection.execute(
                "INSERT OR IGNORE INTO guesses VALUES (?, ?, ?, ?)",
                (code, lesson, _anonymous(code, visitor), text),
            )
            _use(connection, code)
            return kept.rowcount == 1

    def look(self, code: str, lesson: str, visitor: str) -> Look:
        """How far the class is with a lesson; UnknownClass if there is none."""
        with self.database.read() as connection:
            owner = _find(connection, code)["owner"]
            own = connection.execute(
                "SELECT guess FROM guesses WHERE code = ? AND lesson = ? AND visitor = ?",
                (code, lesson, _anonymous(code, visitor)),
            ).fetchone()
            all_of_it = connection.execute(
                "SELECT count(*) FROM guesses WHERE code = ? AND lesson = ?", (code, lesson)
            )
            return Look(
                _is_revealed(connection, code, lesson),
                all_of_it.fetchone()[0],
                own and own["guess"],
                owner == visitor,
            )

    def guesses(self, code: str, lesson: str, visitor: str) -> list[str]:
        """What was guessed, in no telling order: for the owner, and for all once it is revealed."""
        with self.database.read() as connection:
            owner = _find(connection, code)["owner"]
            if owner != visitor and not _is_revealed(connection, code, lesson):
                return []
            rows = connection.execute(
                "SELECT guess FROM guesses WHERE code = ? AND lesson = ? ORDER BY visitor",
                (code, lesson),
            ).fetchall()
        return [row["guess"] for row in rows]

    def reveal(self, code: str, lesson: str, owner: str) -> None:
        """Open the answer for the class; only its owner can."""
        with self.database.write() as connection:
            _check_owner(connection, code, owner)
            connection.execute("INSERT OR IGNORE INTO revealed VALUES (?, ?)", (code, lesson))
            _use(connection, code)

    def close(self, code: str, owner: str) -> None:
        """Forget a class with all its guesses; only its owner can."""
        with self.database.write() as connection:
            _check_owner(connection, code, owner)
            connection.execute("DELETE FROM classes WHERE code = ?", (code,))

    def forget_unused(self) -> int:
        """Forget classes that are over; returns how many there were."""
        with self.database.write() as connection:
            return _forget_unused(connection)


def read_code(text: str) -> str:
    """A code as somebody typed it, or '' if it is none."""
    code = re.sub(r"[\s-]", "", text[:80]).lower()
    return code if CODE.fullmatch(code) else ""


def _find(connection: sqlite3.Connection, code: str) -> sqlite3.Row:
    row = connection.execute(
        "SELECT * FROM classes WHERE code = ? AND used > ?", (code, time.time() - UNUSED_SECONDS)
    ).fetchone()
    if row is None:
        raise UnknownClass(f"there is no class {str(code)[:CODE_LENGTH]!r}; it may be over")
    return row


def _check_owner(connection: sqlite3.Connection, code: str, owner: str) -> None:
    if _find(connection, code)["owner"] != owner:
        raise StoreError("this class is somebody else's: only who opened it can do that")


def _check_quota(connection: sqlite3.Connection, owner: str) -> None:
    every, owned = connection.execute(
        "SELECT count(*), coalesce(sum(owner = ?), 0) FROM classes", (owner,)
    ).fetchone()
    if owned >= MOST_OWNED:
        raise StoreError(f"you have {MOST_OWNED} classes open: close one of them first")
    if every >= MOST_CLASSES:
        raise StoreError("there are too many classes on this server now; try again later")


def _is_revealed(connection: sqlite3.Connection, code: str, lesson: str) -> bool:
    found = connection.execute(
        "SELECT 1 FROM revealed WHERE code = ? AND lesson = ?", (code, lesson)
    )
    return found.fetchone() is not None


def _use(connection: sqlite3.Connection, code: str) -> None:
    connection.execute("UPDATE classes SET used = ? WHERE code = ?", (time.time(), code))


def _forget_unused(connection: sqlite3.Connection) -> int:
    over = (time.time() - UNUSED_SECONDS,)
    return connection.execute("DELETE FROM classes WHERE used <= ?", over).rowcount


def _anonymous(code: str, visitor: str) -> str:
    return hashlib.sha256(f"{code}:{visitor}".encode()).hexdigest()[:32]
