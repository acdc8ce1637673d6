"""Functions that use one renderer per process."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from ._image import Image
from ._layout import Layout
from ._renderer import Page, Renderer

if TYPE_CHECKING:
    from ._library import Cancellation
    from ._options import JobOptions, Unpack

_lock = threading.Lock()
_renderer: Renderer | None = None


def _shared() -> Renderer:
    global _renderer
    with _lock:
        if _renderer is None:
            _renderer = Renderer()
        return _renderer


def _forget() -> None:
    # Threads do not survive a fork: the child makes its own renderer.
    global _lock, _renderer
    _lock, _renderer = threading.Lock(), None


os.register_at_fork(after_in_child=_forget)


def render(html: Page | None = None, *, cancellation: Cancellation | None = None, **options: Unpack[JobOptions]) -> Image:
    """Renders a page and waits for it: :meth:`Renderer.render` of a renderer without a cache.

    >>> render("<p>Hi", width=200, format="webp").save("hi.webp")
    """
    return _shared().render(html, cancellation=cancellation, **options)


def measure(html: Page | None = None, *, cancellation: Cancellation | None = None, **options: Unpack[JobOptions]) -> Layout:
    """Lays out a page without rendering it: :meth:`Renderer.measure` of a renderer without a cache."""
    return _shared().measure(html, cancellation=cancellation, **options)


async def render_async(html: Page | None = None, **options: Unpack[JobOptions]) -> Image:
    """:func:`render` for asyncio."""
    return await _shared().render_async(html, **options)


async def measure_async(html: Page | None = None, **options: Unpack[JobOptions]) -> Layout:
    """:func:`measure` for asyncio."""
    return await _shared().measure_async(html, **options)
