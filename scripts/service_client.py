"""A service started by a measurement, and clients at addresses of this machine."""
import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import threading

KORF_FELNER_1 = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13"


class Service:
    """A running service of the program that $UNTUMBLE names, on a free port."""

    def __init__(self, *arguments):
        program = os.environ.get("UNTUMBLE", "untumble")
        command = [program, "serve", "--listen", "127.0.0.1:0", "--quiet", *arguments]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        found = re.search(r"http://127.0.0.1:(\d+)/", line)
        if found is None:
            sys.exit(f"the service does not start: {line}")
        self.port = int(found[1])
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def connect(self, source=None, timeout=600):
        """A connection from this address of the machine; Linux accepts all of 127.0.0.0/8."""
        address = None if source is None else (source, 0)
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout, source_address=address)

    def resident(self):
        """Resident memory in bytes, as the system reports it."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return 1024 * int(re.search(r"VmRSS:\s+(\d+)", text)[1])

    def metric(self, name):
        """The sum of a metric over its labels; 0 if it is missing."""
        text = request(self.connect(), "GET", "/metrics")[1]
        values = re.findall(rf"^{re.escape(name)}(?:\{{.*\}})? (\d+)$", text, re.MULTILINE)
        return sum(map(int, values))


def request(connection, method, path, body=None):
    """Sends a request with a body as JSON; returns status and text."""
    headers = {"Content-Type": "application/json"} if body is not None else {}
    connection.request(method, path, body=None if body is None else json.dumps(body), headers=headers)
    response = connection.getresponse()
    return response.status, response.read().decode()
