import { open, rename, rm } from "node:fs/promises";
import { convert } from "../convert/convert.js";
import type { AgentMessage } from "../core/types.js";
import { formatLine } from "../framing/ndjson.js";

/** Writes a session as Cline keeps it, whole or not at all. */
export async function writeClineView(path: string, messages: readonly AgentMessage[]): Promise<void> {
  const lines = messages.map((message) => formatLine(message)).join("");
  const { output } = await convert(lines, { from: "openclaw", to: "cline" });
  const unfinished = `${path}.new`;
  const file = await open(unfinished, "w", 0o600);
  try {
    await file.writeFile(output);
    await file.sync();
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}
