// Servers for the tests: `untumble serve`, and a plain file server.

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { connect, createServer as createTcpServer } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".txt": "text/plain; charset=utf-8",
};

/** The Content-Security-Policy of the service. */
const POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; " +
  "img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'";

/** Serves a folder below a URL path that is not the root. */
export async function serveFolder(path, root = "/some/folder/") {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const name = pathname.startsWith(root) ? normalize(pathname.slice(root.length) || "index.html") : "..";
    try {
      if (name.startsWith("..")) throw new Error("outside");
      const data = await readFile(join(path, name));
      response.writeHead(200, {
        "content-type": TYPES[extname(name)] ?? "application/octet-stream",
        "content-security-policy": POLICY,
        "x-content-type-options": "nosniff",
      });
      response.end(data);
    } catch {
      response.writeHead(404, { "content-type": "text/plain" });
      response.end("not found");
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { base: `http://127.0.0.1:${server.address().port}${root}`, close: () => server.close() };
}

/** Starts `untumble serve` with more arguments and waits for the address in its output. */
export async function startService(program, more = []) {
  const args = ["serve", "--listen", "127.0.0.1:0", "--rate", "0", ...more];
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const base = await new Promise((resolve, reject) => {
    let output = "";
    const onOutput = (data) => {
      output += data;
      const address = /http:\/\/[\d.:]+\/?/.exec(output);
      if (address) resolve(address[0].replace(/\/?$/, "/"));
    };
    child.stdout.on("data", onOutput);
    child.stderr.on("data", onOutput);
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`${program} serve exited with ${code}: ${output}`)));
    const timeout = () => reject(new Error(`${program} serve printed no address: ${output}`));
    setTimeout(timeout, 20_000).unref();
  });
  return { base, close: () => child.kill("SIGTERM") };
}

/** Serves an empty page of a foreign site. */
export async function serveForeignPage() {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end("<!doctype html><title>foreign</title><body></body>");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: server.address().port, close: () => server.close() };
}

/**
 * Forwards the connections to a host name, as its DNS record would: to `port` until `rebind` names another.
 */
export async function forwardName(port) {
  const sockets = new Set();
  const server = createTcpServer((client) => {
    const target = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [client, target],
      [target, client],
    ]) {
      sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => sockets.delete(from));
      from.pipe(to);
    }
  });
  const disconnect = () => sockets.forEach((socket) => socket.destroy());
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: server.address().port,
    rebind: (next) => {
      port = next;
      disconnect();
    },
    close: () => {
      server.close();
      disconnect();
    },
  };
}
