"""Renderers."""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import threading
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence, Union

from ._errors import OffprintError
from ._image import Image
from ._layout import Layout
from ._library import Cancellation, Handle, Result
from ._options import Path, job_from_options, plain

if TYPE_CHECKING:
    from ._options import JobOptions, Unpack

#: A page: its text, its bytes, or the path of its file.
Page = Union[str, bytes, bytearray, memoryview, "os.PathLike[str]"]
#: A job for ``render_many``: a page, or a mapping with ``html`` and options.
Job = Union[Page, Mapping[str, Any]]


class Renderer:
    """Renders pages in this process, on its own threads.

    Use it as a context manager, or call :meth:`close`; one renderer serves all threads. After ``os.fork``, a child process must create its own renderer.

    Args:
        cache: a folder for images; with None, nothing is cached on disk.
        cache_max_size: the maximum size in bytes, or a string such as ``"500MB"``.
        cache_max_age: a time such as ``"30d"``; images that were not used for this time are evicted.
        fonts: folders of fonts to use in addition to the bundled ones.
        system_fonts: whether pages can use the fonts of the system; images then depend on the machine.
        templates: folders with templates ``NAME.mustache``.
        allow_host: hosts from which pages may load; none by default.
        tier: the URL of a cache shared by several machines.
        tier_read_only: whether ``tier`` is only read.
        isolate: whether pages are rendered in worker processes without network, files and privileges.
        worker_memory: MiB that a worker process may have.
        worker_renders: pages after which a worker process is replaced.
        allow_missing_layer: layers of the sandbox that may be missing.
        jobs: threads that render; by default as many as there are cores.
        queue: how many requests may wait.
        defaults: options that every job starts from.
    """

    def __init__(
        self, *, cache: Path | None = None, cache_max_size: int | str | None = None, cache_max_age: str | None = None,
        fonts: Path | Sequence[Path] | None = None, system_fonts: bool = False, templates: Path | Sequence[Path] | None = None,
        allow_host: str | Sequence[str] | None = None, tier: str | None = None, tier_read_only: bool = False, isolate: bool = False,
        worker_memory: int | None = None, worker_renders: int | None = None, allow_missing_layer: str | Sequence[str] | None = None,
        jobs: int | None = None, queue: int | None = None, **defaults: Unpack[JobOptions],
    ) -> None:
        configuration = {
            "cache": cache, "cache-max-size": cache_max_size, "cache-max-age": cache_max_age, "fonts": fonts, "system-fonts": system_fonts,
            "templates": templates, "allow-host": allow_host, "tier": tier, "tier-read-only": tier_read_only, "isolate": isolate,
            "worker-memory": worker_memory, "worker-renders": worker_renders, "allow-missing-layer": allow_missing_layer, "jobs": jobs, "queue": queue,
        }
        given = {name: plain(value) for name, value in configuration.items() if value is not None and value is not False}
        self._handle = Handle({**given, **job_from_options(defaults)})
        self._threads: concurrent.futures.ThreadPoolExecutor | None = None
        self._lock = threading.Lock()
        self._jobs = jobs or os.cpu_count() or 1

    # Rendering

    def render(self, html: Page | None = None, *, cancellation: Cancellation | None = None, **options: Unpack[JobOptions]) -> Image:
        """Renders a page and waits for it.

        Args:
            html: the page; None with ``template`` or ``tree``.
            cancellation: ends the render from another thread.
            options: see :class:`offprint._options.JobOptions`; they include limits such as ``max_picture_pixels``.

        Raises:
            OffprintError: with a stable ``code``.
        """
        return Image(self._call("render", html, cancellation, options))

    def measure(self, html: Page | None = None, *, cancellation: Cancellation | None = None, **options: Unpack[JobOptions]) -> Layout:
        """Lays a page out without rendering it, and returns the positions of its boxes and lines of text."""
        return Layout(self._call("measure", html, cancellation, options))

    async def render_async(self, html: Page | None = None, **options: Unpack[JobOptions]) -> Image:
        """:meth:`render` for asyncio. Canceling the task ends the render."""
        return Image(await self._call_async("render", html, options))

    async def measure_async(self, html: Page | None = None, **options: Unpack[JobOptions]) -> Layout:
        """:meth:`measure` for asyncio."""
        return Layout(await self._call_async("measure", html, options))

    def render_many(
        self, jobs: Iterable[Job], *, progress: Callable[[int, Image | OffprintError], None] | None = None, return_errors: bool = False,
        **options: Unpack[JobOptions],
    ) -> Iterator[Image | OffprintError]:
        """Renders pages on all the renderer's threads, and yields their images in order.

        Args:
            jobs: pages, or mappings with ``html`` and their own options. They are consumed as needed; a generator may be endless.
            progress: called with the number of finished jobs and the result of the last one.
            return_errors: yields errors instead of raising the first one.
            options: the defaults of all jobs.
        """
        pool = self._pool()
        waiting: list[concurrent.futures.Future[Image | OffprintError]] = []
        cancellation = Cancellation()
        done = 0
        source = iter(jobs)

        def begin() -> bool:
            for job in source:
                waiting.append(pool.submit(self._render_job, job, dict(options), cancellation))
                return True
            return False

        try:
            while len(waiting) < 2 * self._jobs and begin():
                pass
            while waiting:
                outcome = waiting.pop(0).result()
                done += 1
                begin()
                if progress:
                    progress(done, outcome)
                if isinstance(outcome, OffprintError) and not return_errors:
                    raise outcome
                yield outcome
        finally:
            if waiting:
                cancellation.cancel()
                concurrent.futures.wait(waiting)

    async def render_many_async(
        self, jobs: Iterable[Job], *, return_errors: bool = False, **options: Unpack[JobOptions]
    ) -> AsyncIterator[Image | OffprintError]:
        """:meth:`render_many` for asyncio."""
        loop = asyncio.get_running_loop()
        images = self.render_many(jobs, return_errors=return_errors, **options)
        end = object()
        try:
            while True:
                outcome = await loop.run_in_executor(None, next, images, end)
                if outcome is end:
                    return
                yield outcome  # type: ignore[misc]
        finally:
            await loop.run_in_executor(None, images.close)  # type: ignore[attr-defined]

    # What there is

    def templates(self) -> list[dict[str, Any]]:
        """The templates, each with its name, description and attributes."""
        templates: list[dict[str, Any]] = self._handle.list("templates")
        return templates

    def fonts(self) -> list[dict[str, Any]]:
        """The font faces that pages can use."""
        faces: list[dict[str, Any]] = self._handle.list("fonts")
        return faces

    # Life

    def close(self) -> None:
        """Waits for the renders in progress and ends the renderer's threads. Further calls fail."""
        with self._lock:
            threads, self._threads = self._threads, None
        if threads:
            threads.shutdown()
        self._handle.close()

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Renderer:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.get_running_loop().run_in_executor(None, self.close)

    # Calls

    def _call(self, name: str, html: Page | None, cancellation: Cancellation | None, options: Mapping[str, Any]) -> Result:
        job = job_from_options(options)
        page: bytes | None = None
        if isinstance(html, os.PathLike):
            job["input"] = os.fspath(html)
        elif isinstance(html, str):
            page = html.encode("utf-8", "surrogatepass")
        elif html is not None:
            page = bytes(html)
        return self._handle.call(name, job, page, cancellation)

    async def _call_async(self, name: str, html: Page | None, options: Mapping[str, Any]) -> Result:
        cancellation = Cancellation()
        call = asyncio.get_running_loop().run_in_executor(self._pool(), self._call, name, html, cancellation, options)
        try:
            return await asyncio.shield(call)
        except asyncio.CancelledError:
            cancellation.cancel()
            call.add_done_callback(lambda future: future.cancelled() or future.exception())
            raise

    def _render_job(self, job: Job, options: dict[str, Any], cancellation: Cancellation) -> Image | OffprintError:
        try:
            if isinstance(job, Mapping):
                own = dict(job)
                return self.render(own.pop("html", None), cancellation=cancellation, **{**options, **own})
            return self.render(job, cancellation=cancellation, **options)
        except OffprintError as error:
            return error

    def _pool(self) -> concurrent.futures.ThreadPoolExecutor:
        with self._lock:
            if self._threads is None:
                # They wait for the renderer's threads.
                self._threads = concurrent.futures.ThreadPoolExecutor(2 * self._jobs, "offprint")
            return self._threads
