import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { DragomanError } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";
import type { ToolCall } from "../../core/types.js";
import { systemCode } from "../../log/files/disk-error.js";
import { applyReplacements, type Replacement } from "../../tools/replacements.js";
import { unifiedDiff } from "../../tools/unified-diff.js";

/** The diff that a call of `write` or `edit` would make; undefined if it is another tool, or cannot be foreseen. */
export async function proposedChange(call: ToolCall, workspace: string): Promise<string | undefined> {
  const args = isObject(call.arguments) ? call.arguments : {};
  const { file_path: name, content, edits } = args;
  if (typeof name !== "string") return undefined;
  const before = await textAt(resolve(workspace, name));
  if (call.name === "write" && typeof content === "string") return unifiedDiff(name, before ?? "", content);
  if (call.name !== "edit" || before === undefined || !isReplacements(edits)) return undefined;
  try {
    return unifiedDiff(name, before, applyReplacements(before, edits).text);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    // The tool will report why the edit does not fit; the question shows its arguments.
    return undefined;
  }
}

function isReplacements(edits: unknown): edits is Replacement[] {
  return (
    Array.isArray(edits) &&
    edits.every(
      (edit) =>
        isObject(edit) && typeof edit["old_string"] === "string" && typeof edit["new_string"] === "string",
    )
  );
}

/** A diff of a larger file takes long. */
const MAX_BYTES = 1_000_000;

/** Undefined if it cannot be read. */
async function textAt(path: string): Promise<string | undefined> {
  try {
    const info = await stat(path);
    return info.isFile() && info.size <= MAX_BYTES ? await readFile(path, "utf8") : undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
