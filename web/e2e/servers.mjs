// What the page is tried with: the program that serves it, and a plain file server that knows nothing.

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".txt": "text/plain; charset=utf-8",
};

/** The policy that the service sends, so that the page keeps to it wherever it is served. */
const POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; img-src 'self' data: blob:; object-src 'none'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves a folder below a path of some depth. */
export async function folder(path, under = "/some/folder/") {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const name = pathname.startsWith(under) ? normalize(pathname.slice(under.length) || "index.html") : "..";
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
  return { base: `http://127.0.0.1:${server.address().port}${under}`, close: () => server.close() };
}

/** Starts `untumble serve` and waits until it says where it listens. */
export async function service(program) {
  const child = spawn(program, ["serve", "--listen", "127.0.0.1:0", "--rate", "0"], { stdio: ["ignore", "pipe", "pipe"] });
  const base = await new Promise((resolve, reject) => {
    let said = "";
    const hear = (data) => {
      said += data;
      const address = /http:\/\/[\d.:]+\/?/.exec(said);
      if (address) resolve(address[0].replace(/\/?$/, "/"));
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`${program} serve ended with ${code}: ${said}`)));
    setTimeout(() => reject(new Error(`${program} serve does not say where it listens: ${said}`)), 20_000).unref();
  });
  return { base, close: () => child.kill("SIGTERM") };
}
