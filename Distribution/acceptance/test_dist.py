"""Uses the artifacts in dist/ as users would. 'Distribution/check acceptance' runs it in an environment with the wheel, pytest, FastAPI and mcp."""

import concurrent.futures
import json
import os
import pathlib
import platform
import shutil
import socket
import subprocess
import sys
import textwrap
import time
import urllib.request

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = (ROOT / "VERSION").read_text().strip()
LIBRARY = ROOT / "dist" / f"liboffprint-{VERSION}-linux-{platform.machine()}"
PNG = b"\x89PNG\r\n\x1a\n"


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options)


def test_a_script_as_in_a_notebook(tmp_path):
    script = """
        import offprint
        image = offprint.render("<h1>Report</h1><p>Total: 14.10 €", width=400, scale=2)
        assert image._repr_png_()[:4] == b"\\x89PNG" and image.width == 800
        image.save("report.png")
        with offprint.Renderer(cache="cache") as renderer:
            rows = [{"html": f"<p>Row {n}", "width": 200} for n in range(50)]
            assert [i.width for i in renderer.render_many(rows)] == [200] * 50
            assert renderer.render(**rows[0]).cached
        print(offprint.measure("<p>Hi", width=100).lines[0].text)
    """
    done = run(sys.executable, "-c", textwrap.dedent(script), cwd=tmp_path, env={"HOME": str(tmp_path)})
    assert done.stdout == "Hi\n" and (tmp_path / "report.png").read_bytes().startswith(PNG)


def test_a_fastapi_application_with_eight_threads(tmp_path):
    pytest.importorskip("fastapi"), pytest.importorskip("uvicorn")
    (tmp_path / "app.py").write_text(textwrap.dedent("""
        import fastapi, offprint
        app, renderer = fastapi.FastAPI(), offprint.Renderer(cache="cache", jobs=8, timeout=5)

        @app.get("/card")
        def card(title: str):
            image = renderer.render(template="badge", set={"label": "title", "message": title})
            return fastapi.Response(image.data, media_type=image.media_type)

        @app.get("/async")
        async def page(n: int):
            image = await renderer.render_async(f"<p>{n}", width=80)
            return fastapi.Response(image.data, media_type=image.media_type)
    """))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-m", "uvicorn", "app:app", "--port", str(port), "--log-level", "warning"], cwd=tmp_path)
    try:
        def get(path):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=20) as answer:
                return answer.headers["content-type"], answer.read()

        for _ in range(100):
            try:
                get("/async?n=0")
                break
            except OSError:
                time.sleep(0.1)
        with concurrent.futures.ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(get, [f"/card?title=t{n % 20}" for n in range(200)] + [f"/async?n={n}" for n in range(100)]))
        assert all(kind == "image/png" and data.startswith(PNG) for kind, data in answers)
        assert answers[0] == answers[20] == answers[180]
    finally:
        server.terminate()
        server.wait()


def test_a_c_program(tmp_path):
    flags = run("pkg-config", "--cflags", "--libs", "offprint", env={**os.environ, "PKG_CONFIG_PATH": str(LIBRARY / "lib/pkgconfig")}).stdout.split()
    program = str(tmp_path / "program")
    run("cc", "-std=c99", "-Wall", "-Wextra", "-Werror", str(ROOT / "docs/examples/library.c"), "-o", program, *flags, f"-Wl,-rpath,{LIBRARY}/lib")
    done = run(program, str(tmp_path / "a.png"), env={})
    assert json.loads(done.stdout)["width"] == 840 and (tmp_path / "a.png").read_bytes().startswith(PNG)


def test_an_agent_over_mcp():
    pytest.importorskip("mcp")
    import asyncio

    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async def session():
        async with stdio_client(StdioServerParameters(command=sys.executable, args=["-m", "offprint", "mcp", "--no-cache"])) as streams:
            async with ClientSession(*streams) as agent:
                await agent.initialize()
                names = [tool.name for tool in (await agent.list_tools()).tools]
                image = await agent.call_tool("render_html", {"html": "<h1>Hi</h1>", "width": 300})
                wrong = await agent.call_tool("render_html", {"html": "<h1>Hi</h1>", "selector": "p:::"})
                layout = await agent.call_tool("inspect_layout", {"html": "<p>Hi"})
                return names, image, wrong, layout

    names, image, wrong, layout = asyncio.run(session())
    assert names == ["render_html", "render_template", "inspect_layout", "list_templates", "list_fonts"]
    assert image.content[0].type == "image" and json.loads(image.content[1].text)["width"] == 300
    assert getattr(wrong, "isError", getattr(wrong, "is_error", None)) and "selectorInvalid" in wrong.content[0].text
    assert "baseline" in layout.content[0].text


@pytest.mark.skipif(not shutil.which("swift"), reason="needs Swift")
def test_a_swift_package_with_a_target_named_images(tmp_path):
    package = tmp_path / "app"
    (package / "Sources/Images").mkdir(parents=True)
    (package / "Sources/App").mkdir()
    (package / "Package.swift").write_text(textwrap.dedent(f"""
        // swift-tools-version: 6.1
        import PackageDescription
        let package = Package(
          name: "app", dependencies: [.package(path: "{ROOT}")],
          targets: [
            .target(name: "Images", dependencies: [.product(name: "Offprint", package: "{ROOT.name}")]),
            .executableTarget(name: "App", dependencies: ["Images", .product(name: "OffprintIsolation", package: "{ROOT.name}")]),
          ])
    """).lstrip())
    (package / "Sources/Images/Images.swift").write_text(textwrap.dedent("""
        import Offprint
        public func card(_ title: String) async throws -> [UInt8] {
          var request = RenderRequest(html: "<h1>\\(title)</h1>")
          request.width = .px(300)
          return try await Renderer().render(request).image
        }
    """))
    (package / "Sources/App/App.swift").write_text(textwrap.dedent("""
        import Images
        import OffprintIsolation
        @main struct App { static func main() async throws { print(try await card("Hello").count, IsolationConfiguration().retiresAfterRenders) } }
    """))
    environment = {name: value for name, value in os.environ.items() if name not in ("OFFPRINT_SERVICE", "OFFPRINT_COMBINED")}
    built = subprocess.run(["swift", "build", "-c", "release", "--ignore-lock"], cwd=package, env=environment, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout[-3000:] + built.stderr[-3000:]
    resolved = json.loads((package / "Package.resolved").read_text())
    assert {pin["identity"] for pin in resolved["pins"]} <= {"swift-argument-parser", "swift-log", "swift-metrics", "swift-service-context"}
    program = package / ".build/release/App"
    stripped = tmp_path / "App"
    run("strip", "-o", str(stripped), str(program))
    print(f"\nstripped: {stripped.stat().st_size / 1e6:.1f} MB")
    assert stripped.stat().st_size <= 35e6
    assert run(str(program)).stdout.split()[1] == "1000"
