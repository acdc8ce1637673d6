"""Renders HTML and CSS to images, without a browser.

    >>> import offprint
    >>> image = offprint.render("<h1>Hello</h1>", width=400)
    >>> image.save("hello.png")

:func:`render` and :func:`measure` use one renderer for the process, without a cache. A :class:`Renderer` has a cache, fonts, templates and defaults of its
own. Both may be used from any number of threads: the interpreter's lock is released while a page is rendered.
"""

from __future__ import annotations

from ._errors import Cancelled, OffprintError, TimedOut, UsageError
from ._image import Diagnostic, Face, Image
from ._layout import Box, Layout, Line
from ._library import Cancellation, library_version
from ._module import measure, measure_async, render, render_async
from ._options import JOB_OPTIONS
from ._renderer import Renderer

__all__ = [
    "Box", "Cancellation", "Cancelled", "Diagnostic", "Face", "Image", "JOB_OPTIONS", "Layout", "Line", "OffprintError", "Renderer", "TimedOut",
    "UsageError", "library_version", "measure", "measure_async", "render", "render_async",
]


def __getattr__(name: str) -> str:
    if name == "__version__":
        return str(library_version()["version"])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
