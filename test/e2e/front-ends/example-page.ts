import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { folderForFile } from "../../support/temporary-folder.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };

/** Builds an example as its readers do, and serves it on a port of its own for the tests of a file. */
export function examplePage(name: string): { readonly origin: string } {
  const folder = folderForFile();
  const server = createServer((request, response) => {
    const path = request.url === "/" ? "/index.html" : (request.url ?? "");
    try {
      const body = readFileSync(join(folder, path));
      response.writeHead(200, { "content-type": types[extname(path)] ?? "text/plain" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  let origin = "";
  beforeAll(async () => {
    await build(join(root, "examples", name), folder);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    get origin() {
      return origin;
    },
  };
}

async function build(example: string, outDir: string): Promise<void> {
  // React reads it, and test runners set another value.
  process.env["NODE_ENV"] = "production";
  const vite = await import("vite");
  await vite.build({
    root: example,
    configFile: false,
    logLevel: "error",
    // The example's packages are installed for the tests.
    plugins: [
      {
        name: "packages-of-the-tests",
        enforce: "pre",
        resolveId(source, importer) {
          const isPackage = /^(@ai-sdk\/react|ai|@copilotkit\/core)$/.test(source);
          if (!isPackage || importer?.startsWith(example) !== true) return null;
          return this.resolve(source, join(root, "test/package.json"), { skipSelf: true });
        },
      },
    ],
    resolve: { dedupe: ["react", "react-dom"] },
    build: { outDir, emptyOutDir: true, target: "esnext", reportCompressedSize: false },
  });
}
