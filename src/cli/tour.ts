import { isDeepStrictEqual } from "node:util";
import { checkStream } from "../convert/check.js";
import { convert } from "../convert/convert.js";
import { detect, knownName, load, loadAll } from "../convert/detect.js";
import { LossSummary } from "../convert/loss-summary.js";
import type { Problem } from "../core/dialect.js";
import { IncrementalJson } from "../core/json/incremental.js";
import { parseJson } from "../core/json/parse.js";
import type { AgentMessage } from "../core/types.js";
import type { DialectName } from "../dialects/registry.js";
import { formatLine } from "../framing/ndjson.js";
import { wrap } from "../markdown/word-wrap.js";
import type { tourCommand } from "./commands.js";
import type { Arguments } from "./declaration.js";
import { openOutput } from "./files/output.js";
import { lossesLine, lossRows } from "./reports/losses.js";
import { writeResult } from "./sessions/result.js";
import { type Paint, painter, wantsColour } from "./terminal/colour.js";
import { counted, format, percent, table } from "./terminal/table.js";
import { sample } from "./tour-sample.js";

const transcript = sample.map(formatLine).join("");

export async function run({ values }: Arguments<typeof tourCommand>): Promise<number> {
  if (values.json === true) {
    await writeResult(true, "", await results());
    return 0;
  }
  const paint = painter(wantsColour(process.stdout, process.env, values["no-color"]));
  const output = await openOutput("-");
  for await (const line of tour(paint)) await output.write(line === "" ? "\n" : `  ${line}\n`);
  return 0;
}

/** What the tour shows, for programs. */
async function results(): Promise<object> {
  const { written, readBack } = await dialectNames();
  const conversions = written.map(async (dialect) => ({ dialect, losses: (await lossesTo(dialect)).counts }));
  const roundTrips = readBack.map(async (dialect) => ({
    dialect,
    identical: await isIdenticalAfter(dialect),
  }));
  return {
    detected: await detect(transcript),
    problems: await findProblems(),
    conversions: await Promise.all(conversions),
    roundTrips: await Promise.all(roundTrips),
  };
}

async function* tour(paint: Paint): AsyncGenerator<string> {
  let step = 0;
  const heading = (title: string, command: string, prompt = "$") => [
    "",
    `${paint("cyan", `${++step}`)}  ${paint("bold", title)}`,
    `   ${paint("dim", prompt)} ${paint("green", command)}`,
  ];
  yield "";
  yield `${paint("bold", "Dragoman")}: the message layer for AI agents. Lossless or loud, never silent.`;
  yield "";
  yield "A tour with sample data: no keys, no files, no network. The conversation:";
  yield "";
  yield* indented(table(sample.map((message) => messageRow(message, paint))));
  yield* heading("Which of the many transcript formats is this?", "dragoman detect session.jsonl");
  const found = await detect(transcript);
  yield* indented(table(found.map(({ dialect, confidence }) => [percent(confidence), dialect])));
  yield* heading("Someone edited a copy. What is wrong with it?", "dragoman check edited.jsonl");
  yield* indented(await checked(paint));
  yield* heading(
    "The same conversation for every other program, and what each cannot represent",
    "dragoman convert session.jsonl --to DIALECT",
  );
  const { written, readBack } = await dialectNames();
  const width = Math.max(...examples.map((name) => name.length));
  for (const name of examples) yield* indented(await converted(name, width, paint));
  const others = written.length - examples.length;
  yield `   ${paint("dim", `… and ${format(others)} more: dragoman convert session.jsonl --to all --dry-run`)}`;
  yield* heading(
    "Lossless round trips: escrow keeps what the target cannot represent",
    "dragoman convert session.jsonl --to DIALECT --escrow | dragoman convert --to openclaw",
  );
  yield* indented(await returned(readBack, paint));
  yield* heading(
    "Tool call arguments, usable while they are still streaming",
    "json.push(delta); json.value",
    ">",
  );
  yield* indented(table(arriving(paint)));
  yield "";
  yield `End of the tour. ${paint("green", "dragoman --help")} lists the commands.`;
  yield "";
}

/** The dialects that are written, and those of them that can be read again. */
async function dialectNames(): Promise<{ written: DialectName[]; readBack: DialectName[] }> {
  const writable = (await loadAll()).filter(({ oneWay }) => oneWay?.only !== "reads");
  return {
    written: writable.map(({ name }) => knownName(name)),
    readBack: writable.filter(({ oneWay }) => oneWay === undefined).map(({ name }) => knownName(name)),
  };
}

function* indented(lines: readonly string[]): Generator<string> {
  for (const line of lines) yield `   ${line}`;
}

function messageRow(message: AgentMessage, paint: Paint): string[] {
  switch (message.role) {
    case "user":
      return [paint("dim", "user"), typeof message.content === "string" ? message.content : ""];
    case "assistant":
      return [paint("dim", "assistant"), message.content.map(blockText).join(" ")];
    case "toolResult":
      return [paint("dim", message.toolName), message.content.map(blockText).join(" ")];
    default:
      return [paint("dim", message.role)];
  }
}

type Block = Extract<AgentMessage, { role: "assistant" | "toolResult" }>["content"][number];

function blockText(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "toolCall":
      return `${block.name}(${JSON.stringify(block.arguments)})`;
    case "thinking":
      return `(${block.thinking})`;
    default:
      return `[${block.type}]`;
  }
}

/** Two common mistakes: seconds instead of milliseconds, and a truncated file. */
async function findProblems(): Promise<Problem[]> {
  const edited = transcript.replace(/"timestamp":(\d+)000\}/, '"timestamp":$1}').slice(0, -20);
  const problems: Problem[] = [];
  const source = async function* () {
    yield new TextEncoder().encode(edited);
  };
  await checkStream(source(), {
    from: await load("openclaw"),
    onProblem: (problem) => problems.push(problem),
  });
  return problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

async function checked(paint: Paint): Promise<string[]> {
  return table(
    (await findProblems()).map(({ line, column, severity, message }) => [
      `edited.jsonl:${line}:${column}`,
      paint(severity === "error" ? "red" : "yellow", severity),
      message,
    ]),
  );
}

/** A screen has space for these. */
const examples: readonly DialectName[] = ["claude-code", "codex", "cline", "openai-chat"];
const LOSS_ROWS = 1;

async function lossesTo(name: DialectName): Promise<LossSummary> {
  const { losses } = await convert(transcript, { from: "openclaw", to: name });
  const summary = new LossSummary();
  for (const loss of losses) summary.add(loss);
  return summary;
}

async function converted(name: DialectName, width: number, paint: Paint): Promise<string[]> {
  const summary = await lossesTo(name);
  const { rows } = lossRows(summary, LOSS_ROWS, paint);
  const said = summary.total === 0 ? paint("green", "no losses") : lossesLine(summary);
  const head = `${paint("bold", name.padEnd(width))}  ${said}`;
  return [head, ...rows];
}

/** Whether the conversation is the same after it was written with escrow and read again. */
async function isIdenticalAfter(name: DialectName): Promise<boolean> {
  const there = await convert(transcript, { from: "openclaw", to: name, escrow: true });
  const back = await convert(there.output, { from: name, to: "openclaw" });
  return isDeepStrictEqual(messagesOf(back.output), messagesOf(transcript));
}

const COLUMNS = 76;

/** The dialects that return the same conversation, and then those that do not. */
async function returned(names: readonly DialectName[], paint: Paint): Promise<string[]> {
  const identical = await Promise.all(names.map(isIdenticalAfter));
  const group = (same: boolean) => names.filter((_, at) => identical[at] === same);
  return [
    ...named(group(true), paint("green", "✓ identical")),
    ...named(group(false), paint("red", "✗ differs")),
  ];
}

function named(names: readonly DialectName[], outcome: string): string[] {
  if (names.length === 0) return [];
  return [`${outcome} after ${counted(names.length, "dialect")}:`, ...wrap(names.join(", "), COLUMNS)];
}

function messagesOf(lines: string): unknown[] {
  return lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => parseJson(line));
}

const deltas = ['{"path":"src', '/greet.ts","li', 'nes":[1,4', "0]}"];

function arriving(paint: Paint): string[][] {
  const json = new IncrementalJson();
  return deltas.map((delta) => {
    json.push(delta);
    return [delta, paint("dim", "→"), paint("cyan", JSON.stringify(json.value) ?? "")];
  });
}
