import { appendFile, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { systemCode } from "../../log/files/disk-error.js";
import { makeFolder } from "../../log/files/folder.js";
import { readFailure, writeFailure } from "../files/file-errors.js";

export const HISTORY_LINES = 1000;

/** The input of earlier chats, latest first. */
export async function readHistory(path: string): Promise<string[]> {
  try {
    const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
    return lines.slice(-HISTORY_LINES).reverse();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw readFailure(path, error);
  }
}

/** Readable by its owner only: users may type secrets. */
export async function appendHistory(path: string, text: string): Promise<void> {
  try {
    await makeFolder(dirname(path));
    await appendFile(path, `${text}\n`, { mode: 0o600 });
  } catch (error) {
    throw writeFailure(path, error);
  }
}
