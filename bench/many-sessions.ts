/**
 * What it costs to ask for the sessions of a home that has many: `npx tsx bench/many-sessions.ts [SESSIONS]`.
 * Prints, in milliseconds: the first update, which builds the index; updates after that, in the same process and in new ones;
 * and an update after one session has grown.
 */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "../src/core/ids.js";
import { openSessions } from "../src/runtime/sessions.js";

const count = Number(process.argv[2] ?? 20_000);
const home = mkdtempSync(join(tmpdir(), "dragoman-many-"));
const folder = join(home, "agents", "main", "sessions");
mkdirSync(folder, { recursive: true });
const ids = Array.from({ length: count }, () => newId());
for (const [at, id] of ids.entries()) {
  const lines = [
    { role: "session", id, agent: "main", timestamp: at },
    { role: "user", id: newId(), content: `question ${at}`, timestamp: at },
  ];
  writeFileSync(join(folder, `${id}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await work();
  const ms = (performance.now() - start).toFixed(0).padStart(7);
  process.stdout.write(`${name.padEnd(34)} ${ms} ms\n`);
}

async function ask({ catalogue }: ReturnType<typeof openSessions>): Promise<void> {
  await catalogue.update();
  await catalogue.list({ limit: 50 });
}

const long = openSessions(home);
await timed("first (builds the index)", () => ask(long));
for (let round = 0; round < 3; round++) await timed("again, same process", () => ask(long));
const [grown = ""] = ids;
appendFileSync(
  join(folder, `${grown}.jsonl`),
  `${JSON.stringify({ role: "user", id: newId(), content: "more", timestamp: 1 })}\n`,
);
await timed("after one session has grown", () => ask(long));
await long.catalogue.close();
for (let round = 0; round < 2; round++) {
  const next = openSessions(home);
  await timed("as a new process would", () => ask(next));
  await next.catalogue.close();
}
rmSync(home, { recursive: true });
