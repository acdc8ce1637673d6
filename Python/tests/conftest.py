import pytest

import offprint


@pytest.fixture
def renderer(tmp_path):
    with offprint.Renderer(cache=tmp_path / "cache") as renderer:
        yield renderer
