import { resolve } from "node:path";
import { convert } from "../../convert/convert.js";
import { knownName, load } from "../../convert/detect.js";
import type { AgentMessage } from "../../core/types.js";
import { formatLine } from "../../framing/ndjson.js";
import type { Paint } from "../colour.js";
import { LossSummary } from "../losses.js";
import { openOutput } from "../output.js";
import { counted, format } from "../table.js";

const ROWS = 5;

/** Writes a conversation to a file in any dialect, and returns what to tell of it. */
export async function exportTo(
  file: string,
  dialect: string,
  messages: readonly AgentMessage[],
  paint: Paint,
): Promise<string[]> {
  const { name } = await load(dialect);
  const lines = messages.map((message) => formatLine(message)).join("");
  const { output, losses } = await convert(lines, { from: "openclaw", to: knownName(name) });
  const target = await openOutput(resolve(file));
  await target.write(output);
  await target.commit();
  const summary = new LossSummary();
  for (const loss of losses) summary.add(loss);
  const { rows, more } = summary.rows(ROWS, paint);
  return [
    `${counted(messages.length, "message")} written to ${file} as ${name}; ${summary.line()}`,
    ...rows,
    ...(more > 0
      ? [paint("dim", `  … and ${format(more)} more; \`dragoman convert --losses FILE\` writes all`)]
      : []),
  ];
}
