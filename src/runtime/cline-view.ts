import { convert } from "../convert/convert.js";
import type { AgentMessage } from "../core/types.js";
import { formatLine } from "../framing/ndjson.js";
import { writeWhole } from "../log/whole-file.js";

/** Writes a session as Cline keeps it, whole or not at all. */
export async function writeClineView(path: string, messages: readonly AgentMessage[]): Promise<void> {
  const lines = messages.map((message) => formatLine(message)).join("");
  const { output } = await convert(lines, { from: "openclaw", to: "cline" });
  await writeWhole(path, output);
}
