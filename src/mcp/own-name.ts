import { readFileSync } from "node:fs";
import type { McpImplementation } from "./wire.js";

/** Our name and version, for the other side. */
export function ownName(): McpImplementation {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  return { name: "dragoman", title: "Dragoman", version: manifest.version };
}
