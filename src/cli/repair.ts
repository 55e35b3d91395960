import { buffer } from "node:stream/consumers";
import { knownName } from "../convert/detect.js";
import { repair } from "../convert/repair.js";
import { defined } from "../core/json/defined.js";
import { formatLine } from "../framing/ndjson.js";
import { usageError } from "./arguments.js";
import type { repairCommand } from "./commands.js";
import type { Arguments } from "./declaration.js";
import { openInput } from "./files/input.js";
import { openOutput, refuseSameFile } from "./files/output.js";
import { changeLines, unplacedLines } from "./reports/changes.js";
import { writeResult } from "./sessions/result.js";
import { painter, wantsColour } from "./terminal/colour.js";
import { reportLine } from "./terminal/report-line.js";
import { counted } from "./terminal/table.js";

type Repaired = Awaited<ReturnType<typeof repair>>;

export async function run({ values, words: [file] }: Arguments<typeof repairCommand>): Promise<number> {
  const from = values.from === undefined ? undefined : knownName(values.from);
  const input = await openInput(file);
  const out = values.output ?? "-";
  const aside = out === "-" ? undefined : `${out}.unplaced.jsonl`;
  if (values.json === true && values["dry-run"] !== true && out === "-") {
    throw usageError("--json needs --dry-run or -o OUT: standard output is the transcript otherwise");
  }
  await refuseSameFile(out, input.path, "input");
  if (aside !== undefined) await refuseSameFile(aside, input.path, "input");

  const repaired = await repair(await buffer(input.open()), defined({ from, for: values.for }));
  const dry = values["dry-run"] === true;
  if (values.json === true) {
    if (!dry) await write(repaired, out, aside, input.path);
    const { from: dialect, changes, unplaced, notes } = repaired;
    await writeResult(true, "", { dialect, changes, unplaced, notes, ...(dry ? {} : { output: out }) });
    return 0;
  }
  if (dry) {
    const paint = painter(wantsColour(process.stdout, process.env, values["no-color"]));
    const lines = repaired.changes.flatMap((change) => changeLines(change, input.name, paint));
    await (await openOutput("-")).write(lines.map((line) => `${line}\n`).join(""));
  } else await write(repaired, out, aside, input.path);
  const result = dry ? "nothing was written" : out === "-" ? "the input is untouched" : `written to ${out}`;
  const { changes, unplaced } = repaired;
  const done =
    changes.length + unplaced.length === 0 ? "nothing to repair" : counted(changes.length, "change");
  reportLine(`${done} in ${input.name} (${repaired.from}); ${result}`);
  for (const line of unplacedLines(unplaced, dry ? undefined : aside)) reportLine(line);
  for (const { line, column, message, hint } of repaired.notes) {
    reportLine(`${input.name}:${line}:${column}  note  ${message}${hint === undefined ? "" : `; ${hint}`}`);
  }
  return 0;
}

/** The unplaced records are on disk before the output that lacks them. */
async function write(
  { output, unplaced }: Repaired,
  out: string,
  aside: string | undefined,
  source: string | undefined,
): Promise<void> {
  if (aside !== undefined && unplaced.length > 0) {
    const rest = await openOutput(aside, source);
    await rest.write(unplaced.map(formatLine).join(""));
    await rest.commit();
  }
  const result = await openOutput(out, source);
  await result.write(output);
  await result.commit();
}
