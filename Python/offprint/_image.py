"""Images as the renderer returns them."""

from __future__ import annotations

import io
import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from ._library import Result

if TYPE_CHECKING:
    import numpy
    import PIL.Image


class Diagnostic(NamedTuple):
    """A diagnostic of the engine. With the severity ``"degraded"``, the image is incomplete and not cached."""

    code: str
    severity: str
    message: str
    source: str | None = None
    line: int | None = None
    column: int | None = None


class Face(NamedTuple):
    """A font face that the text uses."""

    family: str
    postScriptName: str


class Image:
    """An image, encoded in :attr:`format`.

    Attributes:
        width: in pixels.
        height: in pixels.
        format: ``"png"``, ``"webp"``, ``"jpeg"``, ``"avif"``, ``"pdf"``, ``"svg"`` or ``"raw"``.
        media_type: such as ``"image/png"``.
        cached: whether it was taken from the cache.
        degraded: whether it is incomplete.
        key: of the cache, in hexadecimal digits.
        milliseconds: the time of the render; 0 for a cached image.
        timings: milliseconds by stage.
        diagnostics: warnings and notes of the engine.
        faces: the font faces that the text uses.
    """

    def __init__(self, result: Result) -> None:
        values = json.loads(result.json)
        self._result = result
        self._data: bytes | None = None
        self.width: int = values["width"]
        self.height: int = values["height"]
        self.format: str = values["format"]
        self.media_type: str = values["mediaType"]
        self.cached: bool = values["cached"]
        self.degraded: bool = values["degraded"]
        self.key: str = values["key"]
        self.milliseconds: float = values["milliseconds"]
        self.timings: dict[str, float] = values["timings"]
        self.diagnostics: list[Diagnostic] = [Diagnostic(**item) for item in values["diagnostics"]]
        self.faces: list[Face] = [Face(**item) for item in values["faces"]]

    @property
    def buffer(self) -> memoryview:
        """The bytes, without a copy. The view keeps them alive."""
        return self._result.data()

    @property
    def data(self) -> bytes:
        """The bytes of the file, or of the pixels for the format ``"raw"``, 4 bytes each."""
        if self._data is None:
            self._data = bytes(self.buffer)
        return self._data

    def __bytes__(self) -> bytes:
        return self.data

    def __len__(self) -> int:
        return len(self.buffer)

    def __repr__(self) -> str:
        return f"<offprint.Image {self.width}x{self.height} {self.format}, {len(self)} bytes{', cached' if self.cached else ''}>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file. If writing fails, an existing file is unchanged."""
        target = os.fspath(path)
        temporary = f"{target}.{os.getpid()}.{id(self):x}.tmp"
        try:
            with open(temporary, "xb") as file:
                file.write(self.buffer)
            os.replace(temporary, target)
        except BaseException:
            if os.path.exists(temporary):
                os.unlink(temporary)
            raise

    def to_pil(self) -> PIL.Image.Image:
        """The image for Pillow; of the format ``"raw"`` without a copy.

        Raises:
            ValueError: for a document (PDF, SVG).
        """
        import PIL.Image

        if self.format == "raw":
            pixels: Any = self.buffer  # Pillow takes every buffer, but says so of bytes alone.
            return PIL.Image.frombuffer("RGBA", (self.width, self.height), pixels, "raw", "RGBA", 0, 1)
        self._check_pixels()
        image = PIL.Image.open(io.BytesIO(self.data))
        image.load()
        return image

    def to_numpy(self) -> numpy.ndarray:
        """An array of height × width × 4 of ``uint8``: red, green, blue, alpha, not premultiplied. Of the format ``"raw"`` without a copy, read-only.

        Raises:
            ValueError: for a document (PDF, SVG).
        """
        import numpy

        if self.format == "raw":
            return numpy.frombuffer(self.buffer, numpy.uint8).reshape(self.height, self.width, 4)
        return numpy.asarray(self.to_pil().convert("RGBA"))

    def _check_pixels(self) -> None:
        if self.format in ("pdf", "svg"):
            raise ValueError(f"a file of the format {self.format!r} has no pixels; render with format='raw' or 'png'")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        if self.format == "svg":
            return {"image/svg+xml": self.data.decode()}
        return {self.media_type: self.data} if self.format != "raw" else {"text/plain": repr(self)}

    def _repr_png_(self) -> bytes | None:
        return self.data if self.format == "png" else None

    def _repr_svg_(self) -> str | None:
        return self.data.decode() if self.format == "svg" else None
