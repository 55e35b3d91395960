import { convertDry } from "../convert/convert.js";
import { load } from "../convert/detect.js";
import { dialects } from "../convert/dialects.js";
import { rereadable } from "./files/input.js";
import { type LossKind, LossSummary } from "./reports/losses.js";
import { cut, plainLine } from "./sessions/plain.js";
import { writeResult } from "./sessions/result.js";
import { columnsOf } from "./terminal/columns.js";
import { reportLine } from "./terminal/report-line.js";
import { counted, format, table } from "./terminal/table.js";
import { joinTranscript, type Transcript } from "./transcript.js";

/** What a target would lose. */
interface Target {
  dialect: string;
  title: string;
  losses: LossSummary["counts"];
  total: number;
  /** The most important kinds. */
  kinds: LossKind[];
}

/** How many kinds of losses are named for each target. */
const KINDS = 3;

interface Options {
  leaf?: string | undefined;
  json?: boolean | undefined;
}

/** Prints what every dialect would lose of a transcript, the one with the smallest losses first. Writes no transcript. */
export async function compareTargets(transcript: Transcript, options: Options): Promise<number> {
  const { input, dialect: from } = await joinTranscript(transcript);
  const source = await rereadable(input);
  const leaf = options.leaf === undefined ? {} : { leaf: options.leaf };
  const targets: Target[] = [];
  let messages = 0;
  for (const { name, title, writes } of await dialects()) {
    if (!writes) continue;
    const summary = new LossSummary();
    const to = await load(name);
    messages = await convertDry(source.open, { from, to, ...leaf, onLoss: (loss) => summary.add(loss) });
    for (const loss of source.missing?.() ?? []) summary.add(loss);
    const { counts: losses, total } = summary;
    targets.push({ dialect: name, title, losses, total, kinds: summary.kinds(KINDS) });
  }
  targets.sort(byLosses);
  reportLine(`${counted(messages, "message")} from ${from.name}; nothing was written`);
  await writeResult(options.json, table(targets.map(rowOf)).map(fitted).join("\n"), targets);
  return 0;
}

function byLosses({ losses: a }: Target, { losses: b }: Target): number {
  return a.dropped - b.dropped || a.approximated - b.approximated || a.synthesised - b.synthesised;
}

function rowOf({ dialect, losses, total, kinds }: Target): string[] {
  if (total === 0) return [dialect, "no losses"];
  const count = ([severity, number]: [string, number]) =>
    number === 0 ? [] : [`${format(number)} ${severity}`];
  const named = kinds.map(
    ({ count: number, what }) => `${format(number)} × ${plainLine(what, WHAT_COLUMNS)}`,
  );
  return [
    dialect,
    counted(total, "loss", "losses"),
    Object.entries(losses).flatMap(count).join(", "),
    named.join("; "),
  ];
}

const WHAT_COLUMNS = 40;

/** A line that fits a terminal; elsewhere lines have any length. */
function fitted(line: string): string {
  return cut(line, columnsOf(process.stdout) ?? Number.POSITIVE_INFINITY);
}
