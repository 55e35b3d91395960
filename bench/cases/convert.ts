import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { convertStream } from "../../dist/convert/convert.js";
import { load } from "../../dist/convert/detect.js";
import { registry } from "../../dist/dialects/registry.js";
import type { Case, Figure, Host, Row } from "../support/case.js";
import { cpuOf } from "../support/cpu.js";
import { sizeName } from "../support/growth.js";
import { writeTranscript } from "../support/transcript-file.js";

const SIZE = 200_000_000;
const FULL_SIZE = 2_000_000_000;
const CHUNK_BYTES = 1024 * 1024;
/** A fraction of the floor's throughput. */
const SPEED_AT_LEAST = 0.8;
const MEMORY_AT_MOST_MB = 200;
const MEMORY_GROWTH_AT_MOST = 1.3;

interface Pair {
  from: string;
  to: string;
}

const pairs: Pair[] = [
  { from: "openclaw", to: "openclaw" },
  { from: "openclaw", to: "openclaw-turns" },
  { from: "pi", to: "openclaw" },
  { from: "claude-code", to: "codex" },
  { from: "claude-code", to: "openclaw" },
  { from: "codex", to: "claude-code" },
  { from: "codex", to: "openclaw" },
  { from: "qwen-code", to: "openclaw" },
  { from: "gemini-cli", to: "openclaw" },
  { from: "copilot-cli", to: "openclaw" },
  { from: "cursor", to: "openclaw" },
];

/** The input of a work, as JSON. */
interface Task extends Pair {
  input: string;
  output: string;
}

function read(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: CHUNK_BYTES });
}

/** The smallest program that reads every line and writes it again. */
async function* floor(path: string): AsyncGenerator<string> {
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of read(path)) {
    const bytes = Buffer.concat([rest, chunk]);
    let text = "";
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      text += `${JSON.stringify(JSON.parse(bytes.toString("utf8", start, end)))}\n`;
      start = end + 1;
    }
    rest = bytes.subarray(start);
    yield text;
  }
}

async function* convertFile({ input, from, to }: Task): AsyncGenerator<Uint8Array> {
  const dialects = { from: await load(from), to: await load(to) };
  yield* convertStream(() => read(input), { ...dialects, onLoss: () => undefined });
}

/** What a user runs, with its report on standard error. */
async function command(argument: string): Promise<number> {
  const { input, output, from, to }: Task = JSON.parse(argument);
  const { runCommandLine } = await import("../../dist/cli/command-line.js");
  return cpuOf(async () => {
    const { code } = await runCommandLine(["convert", input, "--from", from, "--to", to, "-o", output]);
    if (code !== 0) throw new Error(`dragoman convert ended with code ${code}`);
  });
}

function work(output: (task: Task) => AsyncIterable<string | Uint8Array>) {
  return async (argument: string) => {
    const task: Task = JSON.parse(argument);
    return cpuOf(() => pipeline(output(task), createWriteStream(task.output)));
  };
}

async function measure(host: Host): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
  try {
    const rows: Row[] = [];
    for (const pair of pairs) {
      const missing = [pair.from, pair.to].find((name) => !Object.hasOwn(registry, name));
      if (missing === undefined) rows.push(...(await measurePair(host, folder, pair)));
      else host.note(`${pair.from} → ${pair.to} was skipped: there is no dialect ${missing}.`);
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measurePair(host: Host, folder: string, { from, to }: Pair): Promise<Row[]> {
  const rows: Row[] = [];
  const peaks = new Map<string, number>();
  for (const size of host.full ? [SIZE, FULL_SIZE] : [SIZE]) {
    const input = join(folder, `input.${from}`);
    host.progress(`writing ${sizeName(size)} of ${from}`);
    await writeTranscript(input, from, size);
    const megabytes = (await stat(input)).size / 1e6;
    const argument = JSON.stringify({ input, output: join(folder, "output"), from, to } satisfies Task);
    const name = `${sizeName(size)}  ${from} → ${to}`;
    const results = await host.compare([
      { label: `${name}  floor: parse and stringify each line`, work: "floor", argument },
      { label: `${name}  dragoman, convertStream`, work: "dragoman", argument, ours: true },
      { label: `${name}  dragoman convert, the command`, work: "command", argument, ours: true },
    ]);
    for (const { label, work, cpuMs, peakMb, floors } of results) {
      const contender = label.slice(name.length);
      const before = peaks.get(contender);
      peaks.set(contender, peakMb);
      rows.push({
        label,
        figures: {
          "MB per CPU s": megabytes / (cpuMs / 1000),
          "speed of floor": aimed(work, 1 / floors, { atLeast: SPEED_AT_LEAST }),
          "peak MB": aimed(work, peakMb, { atMost: MEMORY_AT_MOST_MB }),
          ...(before === undefined
            ? {}
            : { "× a tenth's peak": aimed(work, peakMb / before, { atMost: MEMORY_GROWTH_AT_MOST }) }),
        },
      });
    }
  }
  return rows;
}

/** Only our own rows have an aim. */
function aimed(work: string, value: number, aim: { atMost: number } | { atLeast: number }): Figure {
  return work === "floor" ? value : { value, ...aim };
}

export const convert: Case = {
  title: "a transcript file converted to another dialect",
  works: { floor: work(({ input }) => floor(input)), dragoman: work(convertFile), command },
  measure,
};
