import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "../../core/json/value.js";
import { fallbackIfMissing } from "../../log/files/disk-error.js";

/** The names that Gemini CLI accepts. */
const NAME = /^[a-z0-9-]+$/;

/**
 * The name of the folder in `root` with a project's sessions. Gemini CLI keeps a list of names. A project that is not in it has
 * the name of older versions, a hash: Gemini CLI copies its sessions when it adds the project to the list.
 */
export async function geminiFolder(folder: string, root: string): Promise<string> {
  const list = await fallbackIfMissing(readFile(join(root, "..", "projects.json"), "utf8"), "{}");
  return nameIn(list, folder) ?? createHash("sha256").update(folder).digest("hex");
}

function nameIn(list: string, folder: string): string | undefined {
  const parsed = parsedList(list);
  const projects = isObject(parsed) ? parsed["projects"] : undefined;
  const name = isObject(projects) && Object.hasOwn(projects, folder) ? projects[folder] : undefined;
  return typeof name === "string" && NAME.test(name) ? name : undefined;
}

function parsedList(list: string): unknown {
  try {
    return JSON.parse(list);
  } catch {
    // Gemini CLI starts a new list instead of a damaged one.
    return undefined;
  }
}
