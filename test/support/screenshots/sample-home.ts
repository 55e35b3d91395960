import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { convert } from "../../../src/convert/index.js";
import { openHome } from "../../../src/log/files/home.js";
import { programs } from "../../../src/runtime/sources/programs.js";
import { branchedTranscript, samples } from "./sample.js";

/** A session of Claude Code in the sample home. */
export const FOREIGN_ID = "0f0d2f4e-1111-4222-8333-444455556666";
export const FOREIGN_TITLE = "Which tests are slow?";

const DAY_MS = 86_400_000;

/**
 * Writes the configuration, sessions, a person who waits for approval, a session of another program, and two weeks of usage.
 * Returns a transcript for the viewer. The suffix is part of every text that comes from elsewhere.
 */
export async function prepareHome(home: string, suffix = ""): Promise<string> {
  const off = Object.keys(programs).filter((name) => name !== "claude-code");
  const config = {
    model: "demo/script",
    // The pictures are taken faster than a person opens pages.
    gateway: { limits: { requestsPerMinute: 100_000 } },
    agents: { main: {}, research: { description: `Looks things up${suffix}` } },
    channels: { webhook: { default: { secret: "a-secret-for-the-pictures", direct: "pairing" } } },
    sources: {
      ...Object.fromEntries(off.map((name) => [name, false])),
      "claude-code": { roots: [join(home, "elsewhere")] },
    },
  };
  writeFileSync(join(home, "config.json"), `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600 });
  const people = join(home, "channels/webhook/default");
  mkdirSync(people, { recursive: true });
  const pending = [
    { code: "GRACE234", id: "4711", name: `Grace${suffix}`, since: Date.now(), message: "4711" },
  ];
  writeFileSync(join(people, "people.json"), JSON.stringify({ version: 1, approved: [], pending }));
  await writeForeign(join(home, "elsewhere/-srv-app"), suffix);
  writeUsage(join(home, "usage"), suffix);
  await writeSessions(home, suffix);
  const file = join(home, "last-line.jsonl");
  writeFileSync(file, branchedTranscript(suffix));
  return file;
}

async function writeSessions(home: string, suffix: string): Promise<void> {
  const log = openHome(home);
  const ids = new Map<string, string>();
  for (const { title, agent, key, parent, messages } of samples(suffix)) {
    const parentId = parent === undefined ? undefined : ids.get(parent);
    const session = await log.create({
      agent,
      ...(key === undefined ? { title } : { key }),
      ...(parentId === undefined ? {} : { parent: { session: parentId, toolCallId: "c3" } }),
    });
    await session.append(messages);
    ids.set(title, session.id);
    await session.close();
  }
}

async function writeForeign(folder: string, suffix: string): Promise<void> {
  const timestamp = Date.now() - DAY_MS;
  const lines = [
    { role: "session", id: FOREIGN_ID, ext: { meta: { cwd: "/srv/app" } }, timestamp },
    { role: "user", content: FOREIGN_TITLE, timestamp },
    { role: "user", content: `Only those over a second, please.${suffix}`, timestamp: timestamp + 9_000 },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const { output } = await convert(text, { from: "openclaw", to: "claude-code" });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${FOREIGN_ID}.jsonl`), output);
}

function writeUsage(folder: string, suffix: string): void {
  mkdirSync(folder, { recursive: true });
  const months = new Map<string, string>();
  for (let day = 0; day < 14; day++) {
    for (const [model, dollars] of [
      ["anthropic/claude-sonnet-4-6", 1.2],
      ["openai/gpt-5.2", 0.4],
    ] as const) {
      const at = Date.now() - day * DAY_MS;
      const size = 1 + ((day * 7) % 5);
      const counts = { calls: size, input: 9_000 * size, output: 700 * size, cacheRead: 40_000 * size };
      const record = {
        at,
        token: "",
        agent: "main",
        model: `${model}${suffix}`,
        ...counts,
        cacheWrite: 0,
        reasoning: 0,
      };
      const month = new Date(at).toISOString().slice(0, 7);
      const line = JSON.stringify({ ...record, cost: dollars * size, unpriced: 0 });
      months.set(month, `${months.get(month) ?? ""}${line}\n`);
    }
  }
  for (const [month, lines] of months) writeFileSync(join(folder, `${month}.jsonl`), lines);
}
