import { resolve } from "node:path";
import { convert } from "../../convert/convert.js";
import { knownName, load } from "../../convert/detect.js";
import { LossSummary } from "../../convert/loss-summary.js";
import type { AgentMessage } from "../../core/types.js";
import { formatLine } from "../../framing/ndjson.js";
import { wrap } from "../../markdown/word-wrap.js";
import { openOutput } from "../files/output.js";
import { lossesLine, lossRows } from "../reports/losses.js";
import { cut, plain } from "../sessions/plain.js";
import { painter } from "../terminal/colour.js";
import { counted, format } from "../terminal/table.js";
import type { Style } from "./tool-lines.js";

const ROWS = 5;

/** Writes a conversation to a file in any dialect, and returns the lines to show. */
export async function exportTo(
  file: string,
  dialect: string,
  messages: readonly AgentMessage[],
  { paint, columns }: Style,
): Promise<string[]> {
  const { name } = await load(dialect);
  const lines = messages.map((message) => formatLine(message)).join("");
  const { output, losses } = await convert(lines, { from: "openclaw", to: knownName(name) });
  const target = await openOutput(resolve(file));
  await target.write(output);
  await target.commit();
  const summary = new LossSummary();
  for (const loss of losses) summary.add(loss);
  const { rows, more } = lossRows(summary, ROWS, painter(false));
  return [
    ...wrap(`${counted(messages.length, "message")} written to ${file} as ${name}`, columns),
    ...wrap(lossesLine(summary), columns),
    ...rows.map((row) => paint("dim", cut(plain(row), columns))),
    ...(more > 0 ? [paint("dim", cut(`  … and ${format(more)} more`, columns))] : []),
  ];
}
