import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openHome } from "dragoman/log";
import type { Case, Host, Row } from "../support/case.js";
import { median } from "../support/cpu.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const ROUNDS = 7;
const ANSWERED_AT_MOST_MS = 2_000;

interface Resumed {
  listeningMs: number;
  answeredMs: number;
}

/** Starts a gateway in a home where a killed one left unanswered messages, each in its own session. */
async function resume(home: string, sessions: number): Promise<Resumed> {
  const log = openHome(home);
  await mkdir(join(home, "runs"), { recursive: true });
  const left = await Promise.all(
    Array.from({ length: sessions }, async () => {
      const session = await log.create({ agent: "main" });
      await session.append([{ role: "user", content: "Are you there?", timestamp: Date.now() }]);
      await writeFile(join(home, "runs", session.id), "");
      return session;
    }),
  );
  const began = performance.now();
  const child = spawn(
    process.execPath,
    ["dist/cli/main.js", "serve", "--port", "0", "--json", "--home", home],
    { cwd: root, stdio: ["ignore", "pipe", "ignore"] },
  );
  await once(child.stdout, "data");
  const listeningMs = performance.now() - began;
  await Promise.all(
    left.map(async (session) => {
      for await (const { message } of session.tail({ signal: new AbortController().signal })) {
        if (message.role === "assistant") break;
      }
    }),
  );
  const answeredMs = performance.now() - began;
  child.kill("SIGKILL");
  await once(child, "close");
  await Promise.all(left.map((session) => session.close()));
  return { listeningMs, answeredMs };
}

async function measure(host: Host): Promise<Row[]> {
  const rows: Row[] = [];
  for (const sessions of [1, 100]) {
    const taken: Resumed[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      host.progress(`${sessions} sessions: round ${round} of ${ROUNDS}`);
      const home = await mkdtemp(join(tmpdir(), "dragoman-bench-"));
      taken.push(await resume(home, sessions));
      await rm(home, { recursive: true });
    }
    rows.push({
      label: sessions === 1 ? "1 message was left" : `${sessions} messages, each in a session of its own`,
      figures: {
        "ms to listening": median(taken.map(({ listeningMs }) => listeningMs)),
        "ms to the last answer": {
          value: median(taken.map(({ answeredMs }) => answeredMs)),
          atMost: ANSWERED_AT_MOST_MS,
        },
      },
    });
  }
  host.progress("");
  return rows;
}

export const gatewayResume: Case = {
  title: "from a start to the answers that a killed gateway owed",
  works: {},
  onlyThisVersion: "Older versions are not measured: the homes are written by this one.",
  measure,
};
