import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSessions } from "../../dist/runtime/sessions.js";
import { openSource, type Source } from "../../dist/runtime/sources/source.js";
import type { Case, Host, Row, Work } from "../support/case.js";
import { cpuOf, cpuPerCall } from "../support/cpu.js";
import { sourceText } from "../support/source-text.js";

const SIZE = 64_000_000;
const FULL_SIZE = 1_000_000_000;
const FILE_SIZE = 500_000;
const MEMORY_AT_MOST_MB = 300;

function sessionId(file: number): string {
  return `${String(file).padStart(8, "0")}-0000-4000-8000-000000000000`;
}

/** The lines of a Claude Code session: a prompt, and answers that each call a tool. */
function* lines(file: number): Generator<object> {
  let parentUuid: string | null = null;
  let line = 0;
  const chained = (more: object) => {
    const uuid = `${String(line).padStart(8, "0")}-${String(file % 10_000).padStart(4, "0")}-4000-8000-000000000000`;
    const frame = { parentUuid, isSidechain: false, userType: "external", cwd: `/home/bench/${file % 20}` };
    const session = { sessionId: sessionId(file), version: "2.1.325", gitBranch: "main" };
    const timestamp = new Date(Date.UTC(2026, 0, 6) + file * 60_000 + line * 1000).toISOString();
    parentUuid = uuid;
    line += 1;
    return { ...frame, ...session, ...more, uuid, timestamp };
  };
  yield chained({ type: "user", message: { role: "user", content: `Please look at module ${file}.` } });
  for (let turn = 0; ; turn++) {
    const call = {
      type: "tool_use",
      id: `toolu_${turn}`,
      name: "Read",
      input: { file_path: `/src/${turn}.ts` },
    };
    const message = { id: `msg_${turn}`, type: "message", role: "assistant", model: "claude-sonnet-4-5" };
    const usage = { input_tokens: 12, output_tokens: 300, cache_read_input_tokens: 20_000 };
    const stop = { stop_reason: "tool_use", stop_sequence: null, usage };
    const text = { type: "text", text: sourceText(600 + (turn % 5) * 200) };
    yield chained({ type: "assistant", message: { ...message, content: [text], ...stop } });
    yield chained({ type: "assistant", message: { ...message, content: [call], ...stop } });
    const content = sourceText(2000 + (turn % 7) * 1000);
    const result = [{ type: "tool_result", tool_use_id: call.id, content }];
    const toolUseResult = { type: "text", file: { filePath: `/src/${turn}.ts`, content, numLines: 40 } };
    yield chained({ type: "user", message: { role: "user", content: result }, toolUseResult });
  }
}

function writeFiles(root: string, size: number): number {
  mkdirSync(join(root, "slug"), { recursive: true });
  let files = 0;
  for (let written = 0; written < size; files++) {
    const texts: string[] = [];
    let length = 0;
    for (const line of lines(files)) {
      const text = `${JSON.stringify(line)}\n`;
      texts.push(text);
      length += text.length;
      if (length >= FILE_SIZE) break;
    }
    writeFileSync(join(root, "slug", `${sessionId(files)}.jsonl`), texts.join(""));
    written += length;
  }
  return files;
}

function sourceIn(root: string): Source {
  return openSource({
    name: "claude-code",
    dialect: "claude-code",
    roots: [root],
    files: ["*/{uuid}.jsonl"],
    onNote: (text) => {
      throw new Error(text);
    },
  });
}

/** The smallest program that reads every file and parses every line. */
async function readAndParse(root: string): Promise<number> {
  let count = 0;
  for await (const { path } of sourceIn(root).sessions()) {
    for (const line of readFileSync(path, "utf8").split("\n")) if (line !== "") JSON.parse(line);
    count += 1;
  }
  return count;
}

async function decode(root: string): Promise<number> {
  const source = sourceIn(root);
  let count = 0;
  for await (const { path } of source.sessions()) {
    for await (const _ of source.readForeign(path, () => undefined)) count += 1;
  }
  return count;
}

async function index(root: string): Promise<number> {
  const home = await mkdtemp(join(root, "home-"));
  const { catalogue } = await openSessions(home);
  try {
    return await cpuOf(() => catalogue.update({ source: sourceIn(root) }));
  } finally {
    await catalogue.close();
    await rm(home, { recursive: true });
  }
}

async function updateAgain(root: string): Promise<number> {
  const home = await mkdtemp(join(root, "home-"));
  const { catalogue } = await openSessions(home);
  try {
    const source = sourceIn(root);
    await catalogue.update({ source });
    return await cpuPerCall(() => catalogue.update({ source }));
  } finally {
    await catalogue.close();
    await rm(home, { recursive: true });
  }
}

const works: Record<string, Work> = {
  "index, floor": (root) => cpuOf(() => readAndParse(root)),
  decode: (root) => cpuOf(() => decode(root)),
  index,
  "again, floor": (root) =>
    cpuPerCall(async () => {
      for await (const _ of sourceIn(root).sessions());
    }),
  again: updateAgain,
};

const groups: Record<string, string>[] = [
  {
    "index, floor": "floor: read and JSON.parse every line",
    decode: "decode",
    index: "index for the first time",
  },
  { "again, floor": "floor: stat every file", again: "index again with nothing new" },
];

async function measure(host: Host): Promise<Row[]> {
  const root = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
  const size = host.full ? FULL_SIZE : SIZE;
  try {
    host.progress(`writing ${size / 1e6} MB`);
    const files = writeFiles(root, size);
    const rows: Row[] = [];
    for (const group of groups) {
      const jobs = Object.entries(group).map(([work, label]) => ({
        label,
        work,
        argument: root,
        ours: !work.endsWith("floor"),
      }));
      for (const { label, cpuMs, floors, peakMb } of await host.compare(jobs)) {
        const memory = { value: peakMb, atMost: MEMORY_AT_MOST_MB };
        rows.push({ label, figures: { "CPU ms": cpuMs, "× floor": floors, "peak MB": memory } });
      }
    }
    host.note(`${files} Claude Code sessions, ${size / 1e6} MB.`);
    return rows;
  } finally {
    await rm(root, { recursive: true });
  }
}

export const foreignIndex: Case = { title: "the index of another program's sessions", works, measure };
