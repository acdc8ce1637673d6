"""Options of a job as keyword arguments: the names of the command line with underscores."""

from __future__ import annotations

import difflib
import os
import sys
from typing import TYPE_CHECKING, Any, Mapping, Sequence, Union

if sys.version_info >= (3, 12):
    from typing import TypedDict, Unpack as Unpack
elif TYPE_CHECKING:
    from typing_extensions import TypedDict, Unpack as Unpack
else:
    from typing import TypedDict

Length = Union[float, str]
Path = Union[str, "os.PathLike[str]"]


class JobOptions(TypedDict, total=False):
    """The options of a render. Lengths are in CSS px; ``"auto"`` is the size of the content. A page that exceeds a limit (``max_…``) fails with the code
    ``limitExceeded``."""

    width: Length
    height: Length
    window_size: str
    viewport_height: float
    max_width: float
    scale: float
    device_scale_factor: float
    zoom: float
    background: str
    transparent: bool
    omit_background: bool
    selector: str
    clip: str
    css: Path | Sequence[Path]
    stylesheet: Path | Sequence[Path]
    template: str
    set: Mapping[str, Any]
    data: Mapping[str, Any] | Sequence[Any] | str
    tree: Mapping[str, Any] | Sequence[Any]
    color_scheme: str
    media: str
    media_feature: str | Sequence[str]
    glyph_positions: str
    at: str
    base_url: str
    allow_files: Path | Sequence[Path]
    timeout: float | str
    strict: bool
    fail_on: str | Sequence[str]
    save_html: Path
    identifier: str
    format: str
    page_size: str
    margin: str
    quality: int
    lossless: bool
    progressive: bool
    icc: Path
    compression: str
    animate: bool
    duration: float | str
    fps: int
    loop: int | str
    poster: str
    dither: bool
    tag: str | Sequence[str]
    tags: str | Sequence[str]
    no_cache: bool
    refresh: bool
    max_input_bytes: int | str
    max_nodes: int | str
    max_depth: int | str
    max_style_rules: int | str
    max_image_side: int | str
    max_image_pixels: int | str
    max_picture_side: int | str  # The first names of the two above.
    max_picture_pixels: int | str
    max_frames: int | str
    max_animation_pixels: int | str
    max_resource_bytes: int | str
    max_loaded_bytes: int | str
    max_resources: int | str
    max_decoded_pixels: int | str
    max_layout_depth: int | str
    max_decoded_bytes: int | str
    max_layer_bytes: int | str
    max_boxes: int | str
    max_fragments: int | str
    max_path_steps: int | str
    max_template_steps: int | str


JOB_OPTIONS: frozenset[str] = frozenset(JobOptions.__annotations__)


def plain(value: Any) -> Any:
    """A value for JSON: paths as strings, sequences as lists."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    return value


def job_from_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the members of a job, without the options whose value is `None`.

    Raises:
        TypeError: for an option that does not exist.
    """
    job: dict[str, Any] = {}
    for name, value in options.items():
        if name not in JOB_OPTIONS:
            near = difflib.get_close_matches(name, JOB_OPTIONS, 1)
            raise TypeError(f"there is no option {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        if value is None:
            continue
        if name == "timeout" and isinstance(value, (int, float)):
            value = f"{value}s"
        job[name.replace("_", "-")] = plain(value)
    return job
