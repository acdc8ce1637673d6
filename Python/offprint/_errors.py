"""Errors, each with the stable code of the command line and the service."""

from __future__ import annotations

import json
from typing import Any


class OffprintError(Exception):
    """A call that failed.

    Attributes:
        code: a stable name, such as ``"limitExceeded"``; the documentation of errors lists all of them.
        message: one sentence for people.
        exit_code: the exit code of the command line for this error.
        status: the HTTP status of the service for this error.
    """

    def __init__(self, code: str, message: str, exit_code: int = 2, status: int = 500) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.exit_code = exit_code
        self.status = status

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.code, self.message, self.exit_code, self.status))


class UsageError(OffprintError, ValueError):
    """An option, a job or a template is invalid."""


class TimedOut(OffprintError, TimeoutError):
    """The render took longer than ``timeout``."""


class Cancelled(OffprintError):
    """The render was canceled."""


_CLASSES = {"timedOut": TimedOut, "workerTimedOut": TimedOut, "cancelled": Cancelled}


def error_from_json(text: str) -> OffprintError:
    """The exception for the JSON of a failed call."""
    error = json.loads(text)["error"]
    usage = UsageError if error["exit"] in (64, 65) else OffprintError
    return _CLASSES.get(error["code"], usage)(error["code"], error["message"], error["exit"], error["status"])
