import { createRequire } from "node:module";

/** Loads `ws`, which is CommonJS. An `import` reads each of its files twice, the first time to search it for exports. */
export function loadWs(): typeof import("ws") {
  return createRequire(import.meta.url)("ws");
}
