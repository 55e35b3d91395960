import { knownName } from "../convert/detect.js";
import { type Change, repair } from "../convert/repair.js";
import { joinBytes } from "../framing/bytes.js";
import { formatLine } from "../framing/ndjson.js";
import { parseArguments, usageError } from "./arguments.js";
import { type Paint, painter, wantsColour } from "./colour.js";
import { type Input, openInput } from "./input.js";
import { openOutput, refuseSameFile } from "./output.js";
import { providerOf } from "./provider.js";
import { counted } from "./table.js";
import { tell } from "./tell.js";

type Repaired = Awaited<ReturnType<typeof repair>>;

export async function run(args: string[]): Promise<number> {
  const { values, file } = parseArguments("repair", args, {
    from: { type: "string" },
    for: { type: "string" },
    output: { type: "string", short: "o" },
    "dry-run": { type: "boolean" },
  });
  if (file === undefined) throw usageError("repair", "the file to repair is missing");
  const from = values.from === undefined ? undefined : knownName(values.from);
  const provider = providerOf("repair", values.for);
  const input = await openInput(file);
  const out = values.output ?? "-";
  const aside = out === "-" ? undefined : `${out}.unplaced.jsonl`;
  await refuseSameFile(out, input.path, "input");
  if (aside !== undefined) await refuseSameFile(aside, input.path, "input");

  const repaired = await repair(await bytesOf(input), {
    ...(from === undefined ? {} : { from }),
    ...(provider === undefined ? {} : { for: provider }),
  });
  const dry = values["dry-run"] === true;
  if (dry) await showChanges(repaired.changes, input.name, values["no-color"]);
  else await write(repaired, out, aside);
  const count = repaired.changes.length;
  const done = dry ? "nothing was written" : out === "-" ? "the input is untouched" : `written to ${out}`;
  tell(
    `${count === 0 ? "nothing to repair" : counted(count, "change")} in ${input.name} (${repaired.from}); ${done}`,
  );
  tellUnplaced(repaired.unplaced, dry ? undefined : aside);
  return 0;
}

async function bytesOf(input: Input): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input.open()) chunks.push(chunk);
  return joinBytes(chunks);
}

/** What was set aside is on the disk before the output without it is. */
async function write({ output, unplaced }: Repaired, out: string, aside: string | undefined): Promise<void> {
  if (aside !== undefined && unplaced.length > 0) {
    const rest = await openOutput(aside);
    await rest.write(unplaced.map(formatLine).join(""));
    await rest.commit();
  }
  const result = await openOutput(out);
  await result.write(output);
  await result.commit();
}

async function showChanges(
  changes: readonly Change[],
  name: string,
  noColour: boolean | undefined,
): Promise<void> {
  const paint = painter(wantsColour(process.stdout, process.env, noColour));
  const output = await openOutput("-");
  const lines = changes.flatMap((change) => describe(change, name, paint));
  if (lines.length > 0) await output.write(`${lines.join("\n")}\n`);
}

/**
 *     session.jsonl:3:18  the timestamp is in milliseconds  openclaw/seconds
 *     - 1740000000
 *     + 1740000000000
 */
function describe(
  { at, line, column, code, what, before, after }: Change,
  name: string,
  paint: Paint,
): string[] {
  const place = line === undefined ? at : `${line}:${column ?? 1}`;
  const head = `${paint("bold", `${name}:${place}`)}  ${what}  ${paint("dim", code)}`;
  return [
    head,
    ...(before === undefined ? [] : [paint("red", `- ${glimpse(JSON.stringify(before))}`)]),
    ...(after === undefined ? [] : [paint("green", `+ ${glimpse(JSON.stringify(after))}`)]),
  ];
}

function tellUnplaced(unplaced: Repaired["unplaced"], aside: string | undefined): void {
  if (unplaced.length === 0) return;
  const count = counted(unplaced.length, "line");
  if (aside !== undefined) {
    tell(`${count} could not be placed and went to ${aside}`);
    return;
  }
  tell(`${count} could not be placed:`);
  for (const { line, text, why } of unplaced) tell(`  line ${line}: ${why}: ${glimpse(text)}`);
}

const GLIMPSE = 160;

function glimpse(text: string): string {
  return text.length > GLIMPSE ? `${text.slice(0, GLIMPSE)}…` : text;
}
