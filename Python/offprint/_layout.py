"""The geometry of a page, as returned by :meth:`Renderer.measure`. All numbers are CSS px from the page's top left corner."""

from __future__ import annotations

import json
from typing import NamedTuple

from ._image import Diagnostic
from ._library import Result


class Box(NamedTuple):
    """The border box of an element. ``path`` is the child-element indexes from the root, such as ``0/1/0``."""

    path: str
    name: str
    x: float
    y: float
    width: float
    height: float


class Line(NamedTuple):
    """A piece of text on one line, in one style; ``path`` is that of its element."""

    path: str
    text: str
    x: float
    y: float
    width: float
    height: float
    baseline: float


class Layout:
    """The size of a page, the boxes of its elements and its lines of text."""

    def __init__(self, result: Result) -> None:
        values = json.loads(result.json)
        self.width: float = values["width"]
        self.height: float = values["height"]
        self.boxes: list[Box] = [Box(**box) for box in values["boxes"]]
        self.lines: list[Line] = [Line(**line) for line in values["lines"]]
        self.diagnostics: list[Diagnostic] = [Diagnostic(**item) for item in values["diagnostics"]]

    def __repr__(self) -> str:
        return f"<offprint.Layout {self.width:g}x{self.height:g}, {len(self.boxes)} boxes, {len(self.lines)} lines>"
