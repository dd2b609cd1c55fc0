"""Checks a report in headless Chromium: light and dark, on a phone and on paper.

    look.py BROWSER REPORT [FOLDER]

Fails on any message of the console, any request besides the report itself, any chart that is not wholly visible,
any page wider than its window, any text too faint to read. Puts the pictures it looked at into FOLDER.
"""

import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import zlib

# name, width, colour scheme, medium
VIEWS = [
    ("light", 1000, "light", "screen"),
    ("dark", 1000, "dark", "screen"),
    ("phone", 390, "light", "screen"),
    ("phone-dark", 390, "dark", "screen"),
    # A dark colour scheme still prints on white.
    ("print", 700, "dark", "print"),
]

MEASURE = """
(() => {
  const rgb = text => text.match(/[0-9.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const part = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const contrast = (a, b) => {
    const [x, y] = [light(rgb(a)), light(rgb(b))];
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  };
  const paper = getComputedStyle(document.body).backgroundColor;
  const figures = [...document.querySelectorAll("figure")].map(figure => {
    const svg = figure.querySelector("svg"), box = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")];
    const inside = texts.every(text => {
      const own = text.getBoundingClientRect();
      return own.left >= box.left - 2 && own.right <= box.right + 2 && own.top >= box.top - 2 && own.bottom <= box.bottom + 2;
    });
    return {
      name: figure.id, x: box.left + scrollX, y: box.top + scrollY, width: box.width, height: box.height,
      texts: texts.length, inside,
      letters: Math.min(...texts.map(text => text.getBoundingClientRect().height)),
      contrast: Math.min(...texts.map(text => contrast(getComputedStyle(text).fill, paper))),
    };
  });
  return JSON.stringify({
    paper, figures, ink: contrast(getComputedStyle(document.body).color, paper),
    width: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight,
  });
})()
"""


class Browser:
    """Chromium, controlled through its debugging pipe."""

    def __init__(self, program, profile):
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()

        def connect():
            # The browser reads from 3 and writes to 4.
            copies = os.dup(commands), os.dup(answers)
            os.dup2(copies[0], 3)
            os.dup2(copies[1], 4)

        flags = ["--headless", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe", "--no-first-run"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        self.process = subprocess.Popen(
            [program, *flags, f"--user-data-dir={profile}"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(answers)
        self.rest, self.count, self.events, self.session = b"", 0, [], None

    def receive(self):
        while b"\0" not in self.rest:
            piece = os.read(self.answers, 1 << 16)
            if not piece:
                sys.exit("the browser ended before it was asked to")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self.commands, text):]
        while True:
            answer = self.receive()
            if answer.get("id") == self.count:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.receive())

    def close(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait(timeout=30)


def pixels(png):
    """Width, height and the rows of a PNG of eight bits a colour."""
    place, data = 8, b""
    while place < len(png):
        length, kind = int.from_bytes(png[place:place + 4], "big"), png[place + 4:place + 8]
        body = png[place + 8:place + 8 + length]
        if kind == b"IHDR":
            width, height, colours = int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big"), body[9]
        elif kind == b"IDAT":
            data += body
        place += 12 + length
    step = {2: 3, 6: 4}[colours]
    raw, rows, above = zlib.decompress(data), [], bytearray(width * step)
    for line in range(height):
        start = line * (width * step + 1)
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + width * step])
        for i in range(len(row)):
            left = row[i - step] if i >= step else 0
            up, corner = above[i], above[i - step] if i >= step else 0
            if kind == 1:
                row[i] = (row[i] + left) & 255
            elif kind == 2:
                row[i] = (row[i] + up) & 255
            elif kind == 3:
                row[i] = (row[i] + (left + up) // 2) & 255
            elif kind == 4:
                guess = left + up - corner
                near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))
                row[i] = (row[i] + near[2]) & 255
        rows.append([bytes(row[i:i + 3]) for i in range(0, len(row), step)])
        above = row
    return rows


def look(browser, name, width, scheme, medium, folder):
    browser.call("Emulation.setEmulatedMedia", media=medium, features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
    seen = json.loads(browser.call("Runtime.evaluate", expression=MEASURE)["result"]["value"])
    wrong = []
    if seen["width"] > width:
        wrong.append(f"the page is {seen['width']} pixels wide")
    if seen["ink"] < 7:
        wrong.append(f"its text has a contrast of {seen['ink']:.1f} only")
    if (scheme == "dark" and medium == "screen") != (seen["paper"] != "rgb(255, 255, 255)"):
        wrong.append(f"its paper is {seen['paper']}")
    for figure in seen["figures"]:
        clip = {key: figure[key] for key in ("x", "y", "width", "height")} | {"scale": 0.5}
        shot = browser.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"]
        rows = pixels(base64.b64decode(shot))
        paper = rows[0][0]
        # Something is drawn in each quarter of its height.
        for quarter in range(4):
            part = rows[len(rows) * quarter // 4:len(rows) * (quarter + 1) // 4]
            inked = sum(colour != paper for row in part for colour in row)
            if inked < 10:
                wrong.append(f"{figure['name']}: quarter {quarter + 1} is empty")
        for fault, holds in [
            ("is too small", figure["width"] < min(width, 700) * 0.8 or figure["height"] < 100),
            ("has text outside", not figure["inside"]),
            ("has no text", figure["texts"] < 3),
            (f"has letters of {figure['letters']:.1f} pixels", figure["letters"] < 8),
            (f"has a contrast of {figure['contrast']:.1f} only", figure["contrast"] < 4.5),
        ]:
            if holds:
                wrong.append(f"{figure['name']} {fault}")
    if folder:
        clip = {"x": 0, "y": 0, "width": width, "height": seen["height"], "scale": 1}
        shot = browser.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"]
        (folder / f"{name}.png").write_bytes(base64.b64decode(shot))
    print(f"{name}: {len(seen['figures'])} charts, {seen['width']} x {seen['height']}, paper {seen['paper']}")
    return [f"{name}: {fault}" for fault in wrong], len(seen["figures"])


def main(program, report, folder=None):
    address = pathlib.Path(report).resolve().as_uri()
    folder = folder and pathlib.Path(folder)
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(program, profile)
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        browser.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Log", "Runtime", "Network"):
            browser.call(f"{domain}.enable")
        browser.call("Page.navigate", url=address)
        browser.wait("Page.loadEventFired")
        wrong, charts = [], 0
        for view in VIEWS:
            faults, charts = look(browser, *view, folder)
            wrong += faults
        paper = base64.b64decode(browser.call("Page.printToPDF", printBackground=False)["data"])
        if folder:
            (folder / "paper.pdf").write_bytes(paper)
        print(f"on paper: {paper.count(b'/Type /Page') - paper.count(b'/Type /Pages')} pages")
        if charts == 0:
            wrong.append("there are no charts")
        for event in browser.events:
            method, about = event.get("method"), event.get("params", {})
            if method == "Network.requestWillBeSent" and about["request"]["url"] not in (address, "data:,"):
                wrong.append(f"it asks for {about['request']['url']}")
            if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
                wrong.append(f"the console says {json.dumps(about)}")
        browser.close()
    for fault in wrong:
        print(fault)
    sys.exit(1 if wrong else 0)


main(*sys.argv[1:])
