import { realpath, stat } from "node:fs/promises";
import { readMessages } from "../../convert/read-messages.js";
import { folderOf } from "../../core/message/folder.js";
import type { TranscriptSource } from "../import-transcript.js";

/** The folder that a session is continued in, and who chose it. */
export interface ChosenFolder {
  path: string;
  from: "option" | "session" | "current";
  /** The folder that the session records, if it does not exist here. */
  missing?: string;
}

/** The folder that the session records if it exists, or else `current`. */
export async function folderFor(source: TranscriptSource, current: string): Promise<ChosenFolder> {
  const recorded = await recordedFolder(source);
  const path = recorded?.startsWith("/") ? await existingFolder(recorded) : undefined;
  if (path !== undefined) return { path, from: path === current ? "current" : "session" };
  return { path: current, from: "current", ...(recorded ? { missing: recorded } : {}) };
}

async function recordedFolder({ open, dialect }: TranscriptSource): Promise<string | undefined> {
  for await (const [first] of readMessages(open(), { from: dialect })) {
    if (first !== undefined) return first.message.role === "session" ? folderOf(first.message) : undefined;
  }
  return undefined;
}

/** The folder under its real path, by which programs know it. */
export async function existingFolder(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    // It does not exist or cannot be reached: a program could not work in it.
    return undefined;
  }
}
