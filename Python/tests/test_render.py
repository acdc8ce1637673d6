"""What the package promises, against the real library."""

import asyncio
import os
import pickle
import subprocess
import sys
import threading

import pytest

import offprint

PNG = b"\x89PNG\r\n\x1a\n"


def test_a_page_becomes_an_image():
    image = offprint.render("<h1>Hello</h1>", width=300)
    assert image.data.startswith(PNG) and (image.width, image.format, image.media_type) == (300, "png", "image/png")
    assert len(image) == len(image.data) == len(bytes(image.buffer)) and not image.degraded and len(image.key) == 64
    assert image.faces[0].family == "Liberation Serif" and "paint" in image.timings
    assert image._repr_png_() == image.data and image._repr_mimebundle_() == {"image/png": image.data}


@pytest.mark.parametrize("format, beginning", [("webp", b"RIFF"), ("jpeg", b"\xff\xd8"), ("pdf", b"%PDF"), ("svg", b"<?xml"), ("avif", b"\0\0\0")])
def test_every_format_is_written(format, beginning):
    assert offprint.render("<p>x", width=50, format=format).data.startswith(beginning)


def test_pages_are_text_bytes_or_files(tmp_path):
    page = tmp_path / "page.html"
    page.write_bytes("<p>é".encode())
    images = {offprint.render(html, width=90).data for html in ["<p>é", "<meta charset=utf-8><p>é".encode(), bytearray("\ufeff<p>é".encode())]}
    assert len(images) == 1
    assert offprint.render(page, width=90).data.startswith(PNG)


def test_the_second_image_comes_from_the_cache(renderer):
    first, second = (renderer.render("<p>cached") for _ in range(2))
    assert (first.cached, second.cached) == (False, True) and first.data == second.data


def test_pixels_are_shared_without_a_copy():
    numpy = pytest.importorskip("numpy")
    image = offprint.render("<body style='margin:0;background:rgb(1,2,3)'>", width=4, height=3, format="raw")
    array = image.to_numpy()
    address = numpy.frombuffer(image.buffer, numpy.uint8).ctypes.data
    assert array.shape == (3, 4, 4) and array[2, 3].tolist() == [1, 2, 3, 255] and array.ctypes.data == address
    del image
    assert array[0, 0].tolist() == [1, 2, 3, 255]


def test_images_open_in_pillow():
    pytest.importorskip("PIL")
    for format in ("png", "raw"):
        picture = offprint.render("<body style='margin:0;background:red'>", width=5, height=6, format=format).to_pil()
        assert picture.size == (5, 6) and picture.convert("RGB").getpixel((2, 2)) == (255, 0, 0)
    with pytest.raises(ValueError, match="no pixels"):
        offprint.render("<p>x", format="pdf").to_pil()


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.png"
    path.write_text("old")
    image = offprint.render("<p>x", width=50)
    image.save(path)
    assert path.read_bytes() == image.data and os.listdir(tmp_path) == ["a.png"]
    with pytest.raises(OSError):
        image.save(tmp_path / "none" / "a.png")


def test_errors_have_codes():
    with pytest.raises(offprint.UsageError) as caught:
        offprint.render("<p>x", selector="p:::")
    assert (caught.value.code, caught.value.exit_code, caught.value.status) == ("selectorInvalid", 64, 400)
    assert isinstance(caught.value, ValueError) and pickle.loads(pickle.dumps(caught.value)).code == "selectorInvalid"
    with pytest.raises(offprint.TimedOut):
        offprint.render("<p>x", timeout="0.0001ms")
    with pytest.raises(offprint.OffprintError, match="limitExceeded"):
        offprint.render("<p>x", width=60_000, max_picture_pixels=10)
    with pytest.raises(TypeError, match="did you mean 'width'"):
        offprint.render("<p>x", widht=3)
    with pytest.raises(offprint.UsageError, match='"format" must be'):
        offprint.render("<p>x", format="bmp")
    with pytest.raises(offprint.OffprintError) as missing:
        offprint.Renderer(fonts="/nowhere")
    assert missing.value.code == "inputNotFound"


def test_messages_name_options_not_flags(tmp_path):
    (tmp_path / "a.png").write_bytes(b"x")
    image = offprint.render(f"<img src='file://{tmp_path}/a.png'>")
    [problem] = [d for d in image.diagnostics if d.code == "resourceRefused"]
    assert "'allow-files'" in problem.message and "--" not in problem.message


def test_every_job_option_has_a_keyword_argument():
    from offprint import _library

    options = {name.replace("-", "_") for option in _library.static_list("options")["options"] for name in option["names"]}
    assert offprint.JOB_OPTIONS == options


def test_every_option_of_the_configuration_has_a_keyword_argument():
    import inspect

    from offprint import _library

    names = {name.replace("-", "_") for name in _library.static_list("configuration")["configuration"]}
    assert set(inspect.signature(offprint.Renderer).parameters) == names | {"defaults"}


def test_defaults_hold_for_every_job(tmp_path):
    (tmp_path / "hi.mustache").write_text("<p>Hi {{name}}")
    with offprint.Renderer(width=120, format="webp", templates=tmp_path) as renderer:
        image = renderer.render(template="hi", data={"name": "Ada"})
        assert (image.width, image.format) == (120, "webp")
        assert renderer.render("<p>x", width=60).width == 60
        assert "hi" in [template["name"] for template in renderer.templates()]
        assert any(face["family"] == "Liberation Sans" for face in renderer.fonts())


def test_a_page_is_measured_without_pixels():
    layout = offprint.measure("<body style='margin:0;font:16px/20px Liberation Sans'><p style='margin:10px;width:60px'>one two three", width=200)
    [paragraph] = [box for box in layout.boxes if box.name == "p"]
    assert paragraph[2:] == (10, 10, 60, 40) and (layout.width, layout.height) == (200, 60)
    assert [line.text.strip() for line in layout.lines] == ["one two", "three"]
    assert layout.lines[0].path == paragraph.path and layout.lines[1].y > layout.lines[0].baseline > layout.lines[0].y


def test_many_pages_keep_their_order(renderer):
    seen = []
    jobs = ({"html": f"<p>{index}", "width": 40 + index} for index in range(30))
    images = list(renderer.render_many(jobs, progress=lambda done, image: seen.append(done), height=20))
    assert [image.width for image in images] == list(range(40, 70)) and seen == list(range(1, 31))
    mixed = list(renderer.render_many(["<p>a", {"html": "<p>b", "format": "none"}, b"<p>c"], return_errors=True))
    assert [isinstance(item, offprint.OffprintError) for item in mixed] == [False, True, False]
    with pytest.raises(offprint.UsageError):
        list(renderer.render_many([{"html": "<p>b", "format": "none"}]))


def test_an_endless_generator_is_read_as_far_as_it_is_needed(renderer):
    def pages():
        for index in range(10**9):
            yield f"<p>{index}"

    images = renderer.render_many(pages(), width=50)
    assert [next(images).width for _ in range(5)] == [50] * 5
    images.close()


def test_threads_share_a_renderer():
    expected = offprint.render("<p>thread", width=90).data
    outcomes = []
    threads = [threading.Thread(target=lambda: outcomes.append(offprint.render("<p>thread", width=90).data)) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [expected] * 16


def test_renders_are_awaited_and_cancelled(renderer):
    slow = "<style>" + "".join(f":is(a{i}, b{i}):has(c{i} d{i}) {{ color: red }}" for i in range(3000)) + "</style>" + "<div><a><b><c><d>" * 8000

    async def run():
        image = await renderer.render_async("<p>x", width=50)
        layout = await renderer.measure_async("<p>x", width=50)
        many = [image.width async for image in renderer.render_many_async(["<p>a", "<p>b"], width=33)]
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(renderer.render_async(slow, timeout=60), 0.2)
        return image.width, layout.width, many

    assert asyncio.run(run()) == (50, 50, [33, 33])


def test_a_cancellation_ends_a_render_in_another_thread():
    cancellation = offprint.Cancellation()
    cancellation.cancel()
    with pytest.raises(offprint.Cancelled):
        offprint.render("<p>never", cancellation=cancellation)


def test_a_closed_renderer_refuses():
    renderer = offprint.Renderer()
    renderer.close()
    renderer.close()
    with pytest.raises(offprint.OffprintError, match="shutDown"):
        renderer.render("<p>x")


def test_a_forked_child_renders_with_a_renderer_of_its_own():
    offprint.render("<p>parent", width=50)
    used = offprint.Renderer()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            try:
                used.render("<p>x")
            except offprint.UsageError:
                status = 0 if offprint.render("<p>child", width=50).width == 50 else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_worker_processes_draw_in_isolation():
    from offprint import _bundle_path

    if not os.path.exists(_bundle_path.PROGRAM):
        pytest.skip("the package has no program")
    with offprint.Renderer(isolate=True, allow_missing_layer=["noNetwork"]) as renderer:
        assert renderer.render("<p>isolated", width=70).data == offprint.render("<p>isolated", width=70).data


def test_a_host_process_keeps_its_signals_and_its_output():
    program = (
        "import signal, offprint\n"
        "before = [signal.getsignal(n) for n in (signal.SIGPIPE, signal.SIGINT, signal.SIGTERM)]\n"
        "offprint.render('<p>x')\n"
        "assert before == [signal.getsignal(n) for n in (signal.SIGPIPE, signal.SIGINT, signal.SIGTERM)]\n"
        "try: offprint.Renderer(fonts='/nowhere')\n"
        "except offprint.OffprintError: pass\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_command_line_is_in_the_package(tmp_path):
    from offprint import _bundle_path

    if not os.path.exists(_bundle_path.PROGRAM):
        pytest.skip("the package has no program")
    done = subprocess.run(
        [sys.executable, "-m", "offprint", "render", "-", "-o", str(tmp_path / "a.png"), "--no-cache"], input=b"<p>x", capture_output=True)
    assert done.returncode == 0 and (tmp_path / "a.png").read_bytes().startswith(PNG)
    assert offprint.__version__ in subprocess.run([sys.executable, "-m", "offprint", "--version"], capture_output=True, text=True).stdout


def test_memory_stays_flat_over_many_renders():
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    for index in range(300):
        offprint.render(f"<p>{index}", width=100)
    before = resident()
    for index in range(1500):
        offprint.render(f"<p>{index}", width=100)
    assert resident() - before < 24 << 20
