"""The C library, by ctypes: see offprint.h. ctypes releases the interpreter's lock during calls."""

from __future__ import annotations

import ctypes
import json
import os
import pathlib
from typing import Any

from ._errors import OffprintError, error_from_json

ABI_VERSION = 0
BUNDLE = pathlib.Path(__file__).resolve().parent / "_bundle"

_size = ctypes.c_size_t
_pointer = ctypes.c_void_p


def _load() -> ctypes.CDLL:
    # Another build than the package's own, for people who develop the library.
    path = os.environ.get("OFFPRINT_LIBRARY") or str(BUNDLE / "lib" / "liboffprint.so.0")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"offprint: the shared library cannot be loaded: {error}") from error
    functions: dict[str, tuple[Any, list[Any]]] = {
        "abi_version": (ctypes.c_uint32, []),
        "renderer_create": (_pointer, [ctypes.c_char_p, _size, ctypes.POINTER(_pointer)]),
        "renderer_destroy": (None, [_pointer]),
        "render": (_pointer, [_pointer, ctypes.c_char_p, _size, _pointer, _size, _pointer]),
        "measure": (_pointer, [_pointer, ctypes.c_char_p, _size, _pointer, _size, _pointer]),
        "list": (_pointer, [_pointer, ctypes.c_char_p]),
        "result_is_error": (ctypes.c_int, [_pointer]),
        "result_data": (_pointer, [_pointer, ctypes.POINTER(_size)]),
        "result_json": (_pointer, [_pointer, ctypes.POINTER(_size)]),
        "result_free": (None, [_pointer]),
        "cancellation_create": (_pointer, []),
        "cancel": (None, [_pointer]),
        "cancellation_destroy": (None, [_pointer]),
    }
    for name, (result, arguments) in functions.items():
        function = getattr(library, f"offprint_{name}")
        function.restype, function.argtypes = result, arguments
    if library.offprint_abi_version() != ABI_VERSION:
        raise ImportError(f"offprint: {path} has the ABI version {library.offprint_abi_version()}, but this package requires {ABI_VERSION}")
    return library


library = _load()


class Result:
    """A result that this object owns."""

    def __init__(self, pointer: int) -> None:
        self._pointer = pointer

    def __del__(self) -> None:
        if self._pointer:
            library.offprint_result_free(self._pointer)
            self._pointer = 0

    @property
    def json(self) -> str:
        length = _size()
        address = library.offprint_result_json(self._pointer, ctypes.byref(length))
        return ctypes.string_at(address, length.value).decode()

    def data(self) -> memoryview:
        """The bytes, without a copy; the view keeps the result alive."""
        length = _size()
        address = library.offprint_result_data(self._pointer, ctypes.byref(length))
        if not length.value:
            return memoryview(b"")
        array = (ctypes.c_ubyte * length.value).from_address(address)
        array._result = self  # type: ignore[attr-defined]
        return memoryview(array).cast("B").toreadonly()

    @property
    def is_error(self) -> bool:
        return bool(library.offprint_result_is_error(self._pointer))

    def checked(self) -> Result:
        """This result.

        Raises:
            OffprintError: where the call failed.
        """
        if self.is_error:
            raise error_from_json(self.json)
        return self


class Cancellation:
    """Cancels renders from another thread. One object can be used for many renders."""

    def __init__(self) -> None:
        self._pointer = library.offprint_cancellation_create()

    def __del__(self) -> None:
        if getattr(self, "_pointer", None):
            library.offprint_cancellation_destroy(self._pointer)
            self._pointer = None

    def cancel(self) -> None:
        """Makes the renders raise :class:`Cancelled`, including those that begin later."""
        library.offprint_cancel(self._pointer)


class Handle:
    """A renderer of the C library."""

    def __init__(self, configuration: dict[str, Any]) -> None:
        text = json.dumps(configuration).encode()
        error = _pointer()
        self._pointer = library.offprint_renderer_create(text, len(text), ctypes.byref(error))
        if not self._pointer:
            Result(error.value or 0).checked()
            raise OffprintError("renderFailed", "The renderer could not be created.")

    def close(self) -> None:
        pointer, self._pointer = self._pointer, None
        if pointer:
            library.offprint_renderer_destroy(pointer)

    def __del__(self) -> None:
        if getattr(self, "_pointer", None):
            self.close()

    def call(self, name: str, job: dict[str, Any], html: bytes | None, cancellation: Cancellation | None) -> Result:
        """Calls ``render`` or ``measure``."""
        if not self._pointer:
            raise OffprintError("shutDown", "The renderer is closed.", 2, 503)
        text = json.dumps(job).encode()
        function = getattr(library, f"offprint_{name}")
        page = ctypes.cast(ctypes.c_char_p(html), _pointer) if html is not None else None
        return Result(function(self._pointer, text, len(text), page, len(html or b""), cancellation and cancellation._pointer)).checked()

    def list(self, what: str) -> Any:
        if not self._pointer:
            raise OffprintError("shutDown", "The renderer is closed.", 2, 503)
        return json.loads(Result(library.offprint_list(self._pointer, what.encode())).checked().json)[what]


def static_list(what: str) -> dict[str, Any]:
    """A list that does not require a renderer: ``version``, ``options``, ``configuration``."""
    found: dict[str, Any] = json.loads(Result(library.offprint_list(None, what.encode())).checked().json)
    return found


def library_version() -> dict[str, Any]:
    """The versions of this library and of those that it uses, and its features."""
    return static_list("version")
