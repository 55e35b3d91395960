import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "../core/json/parse.js";
import { isObject } from "../core/json/value.js";
import { fallbackIfMissing } from "../log/files/disk-error.js";
import { makeFolder } from "../log/files/folder.js";
import { fateOf, parseHolder, thisProcess } from "../log/locks/holder.js";

/** Names the gateway that serves a home, so that other programs of its user find it. */
const FILE = "gateway.json";

/** Records this process as the home's gateway. Returns a function that withdraws it. */
export async function announceGateway(home: string, url: string): Promise<() => Promise<void>> {
  const path = join(home, FILE);
  const text = JSON.stringify({ url, holder: thisProcess() });
  await makeFolder(home);
  await writeFile(path, text, { mode: 0o600 });
  return async () => {
    // Another gateway of the same home may have replaced it.
    if ((await fallbackIfMissing(readFile(path, "utf8"), "")) === text) await rm(path, { force: true });
  };
}

/** The URL of the gateway that serves a home; undefined if its process is not alive. */
export async function findGateway(home: string): Promise<string | undefined> {
  const text = await fallbackIfMissing(readFile(join(home, FILE), "utf8"), "");
  if (text === "") return undefined;
  const value = parseJson(text);
  const { url, holder } = isObject(value) ? value : {};
  const known = parseHolder(JSON.stringify(holder ?? null));
  if (typeof url !== "string" || known === undefined) return undefined;
  // The port of a dead gateway may belong to another program, which must not get a token.
  return fateOf(known, thisProcess()) === "alive" ? url : undefined;
}
