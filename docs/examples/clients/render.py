#!/usr/bin/env python3
"""Renders a page: render.py http://127.0.0.1:8080 out.png   (set OFFPRINT_TOKEN if the service requires a token)"""
import json, os, sys, time, urllib.error, urllib.request


def render(address, job, token=None, tries=4):
    """The PNG of a job. If the service is overloaded, waits as long as Retry-After specifies."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    for attempt in range(1, tries + 1):
        request = urllib.request.Request(f"{address}/render", json.dumps(job).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503) or attempt == tries:
                problem = json.load(error)
                raise RuntimeError(f"{problem['code']}: {problem['detail']}") from None
            time.sleep(float(error.headers.get("Retry-After", attempt)))


if __name__ == "__main__":
    try:
        picture = render(sys.argv[1], {"html": "<h1>Hello</h1>", "width": 400, "scale": 2}, os.environ.get("OFFPRINT_TOKEN"))
    except RuntimeError as error:
        sys.exit(str(error))
    with open(sys.argv[2], "wb") as file:
        file.write(picture)
