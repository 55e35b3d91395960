import { byLosses, compareTargets as compare, type Target } from "../convert/targets.js";
import { rereadable } from "./files/input.js";
import { cut, plainLine } from "./sessions/plain.js";
import { writeResult } from "./sessions/result.js";
import { columnsOf } from "./terminal/columns.js";
import { reportLine } from "./terminal/report-line.js";
import { counted, format, table } from "./terminal/table.js";
import { joinTranscript, type Transcript } from "./transcript.js";

interface Options {
  leaf?: string | undefined;
  json?: boolean | undefined;
}

/** Prints what every dialect would lose of a transcript, the one with the smallest losses first. Writes no transcript. */
export async function compareTargets(transcript: Transcript, options: Options): Promise<number> {
  const { input, dialect: from } = await joinTranscript(transcript);
  const source = await rereadable(input);
  const targets: Target[] = [];
  let messages = 0;
  const compared = compare(source.open, {
    from,
    ...(options.leaf === undefined ? {} : { leaf: options.leaf }),
    missing: () => source.missing?.() ?? [],
    onMessages: (count) => {
      messages = count;
    },
  });
  for await (const target of compared) targets.push(target);
  targets.sort(byLosses);
  reportLine(`${counted(messages, "message")} from ${from.name}; nothing was written`);
  await writeResult(options.json, table(targets.map(rowOf)).map(fitted).join("\n"), targets);
  return 0;
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
