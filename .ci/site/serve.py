"""Serves the site to a browser that looks at every page of it.

    serve.py <folder of the site> <look.html> <time limit in seconds> <command of the browser, without the address…>

Prints what the browser finds, a line each, and ends with status 1 where it finds anything.
"""

import functools
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

site, page, limit = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
asked = threading.Event()
finished = threading.Event()
verdict = {"findings": ["the browser has not answered in time"], "summary": ""}


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        asked.set()
        if self.path == "/look":
            self.answer(page.read_bytes(), "text/html; charset=utf-8")
        elif self.path == "/pages":
            pages = sorted("/" + str(file.relative_to(site / "data").with_suffix(""))
                           for file in (site / "data").rglob("*.json"))
            self.answer(json.dumps(pages).encode(), "application/json")
        else:
            super().do_GET()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(b"", "text/plain")
        verdict.update(json.loads(body))
        finished.set()

    def answer(self, body, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(site)))
threading.Thread(target=server.serve_forever, daemon=True).start()
errors = tempfile.TemporaryFile()
browser = subprocess.Popen(sys.argv[4:] + [f"http://127.0.0.1:{server.server_port}/look"],
                           stdout=subprocess.DEVNULL, stderr=errors)
end = time.monotonic() + limit
while not finished.wait(1) and browser.poll() is None and time.monotonic() < end:
    pass
if browser.poll() is not None and not finished.is_set() and not asked.is_set():
    errors.seek(0)
    print(errors.read().decode(errors="replace"), file=sys.stderr)
    print("Skipped: the pages were not opened, because the browser does not run here.")
    sys.exit(0)
browser.terminate()
try:
    browser.wait(10)
except subprocess.TimeoutExpired:
    browser.kill()
for finding in verdict["findings"]:
    print(finding, file=sys.stderr)
print(verdict["summary"])
sys.exit(1 if verdict["findings"] else 0)
