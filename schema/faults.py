"""A fault of the program, told for the log without its message.

Messages of exceptions can quote what a person wrote (PostgreSQL names the failing row), so only the type,
the SQLSTATE and the places in the code are told.
"""

import traceback

import psycopg


def told(error: BaseException) -> str:
    """Type, SQLSTATE when there is one, and the innermost six places, outermost first."""
    name = type(error).__name__
    if isinstance(error, psycopg.Error) and error.sqlstate:
        name += f" {error.sqlstate}"
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    places = " > ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in frames)
    return f"{name} at {places}" if places else name
