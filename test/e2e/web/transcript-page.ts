import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { webPolicy } from "../../../src/gateway/web/files.js";
import { bundlePages } from "../../../web/build.js";

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};

/** Builds a page with nothing but a transcript, and serves it under the policy that the app is served under. */
export async function serveTranscriptPage(): Promise<{ url: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "dragoman-page-"));
  await bundlePages(
    fileURLToPath(new URL("../../../web/test-pages/transcript/", import.meta.url)),
    ["index.html"],
    folder,
  );
  const server = createServer(async ({ url = "/" }, response) => {
    const name = url === "/" ? "/index.html" : url;
    try {
      const body = await readFile(join(folder, name));
      response.setHeader("content-type", types[extname(name)] ?? "application/octet-stream");
      response.setHeader("content-security-policy", webPolicy);
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("the server listens on no port");
  return {
    url: `http://127.0.0.1:${address.port}/`,
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
