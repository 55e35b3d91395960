import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { open, readFile, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { AgentMessage } from "../../src/core/index.js";
import type { CatalogueOptions, WithLock } from "../../src/log/catalogue/types.js";
import type { SessionFile } from "../../src/log/types.js";

/** Sessions on disk, the simplest way: `<home>/<agent>/<id>.jsonl`, those of the agent `foreign` written by somebody else. */
export class SessionFolder {
  readonly home: string;

  constructor(home = mkdtempSync(join(tmpdir(), "dragoman-sessions-"))) {
    this.home = home;
  }

  path(id: string, agent = "main"): string {
    mkdirSync(join(this.home, "agents", agent), { recursive: true });
    return join(this.home, "agents", agent, `${id}.jsonl`);
  }

  append(id: string, messages: readonly unknown[], agent?: string): void {
    appendFileSync(this.path(id, agent), messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  }

  async *list(): AsyncGenerator<SessionFile> {
    const agents = join(this.home, "agents");
    for (const agent of readdirSync(agents)) {
      for (const name of readdirSync(join(agents, agent))) {
        const path = join(agents, agent, name);
        const { size, mtimeMs } = statSync(path);
        const id = name.replace(/\.jsonl$/, "");
        yield { id, agent, path, foreign: agent === "foreign", size, modified: mtimeMs };
      }
    }
  }

  options(): CatalogueOptions {
    const withLock: WithLock = (work) => withLockAt(join(this.home, "index.lock"), work);
    return { home: this.home, sessions: () => this.list(), readForeign, withLock };
  }

  remove(): void {
    rmSync(this.home, { recursive: true });
  }
}

/** Somebody else's format: a JSON array. */
async function* readForeign(path: string): AsyncGenerator<AgentMessage> {
  yield* JSON.parse(await readFile(path, "utf8"));
}

/** A file that says who holds it. */
async function withLockAt<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!(await taken(path))) await setImmediate();
  try {
    return await work();
  } finally {
    await unlink(path);
  }
}

async function taken(path: string): Promise<boolean> {
  const file = await open(path, "wx").catch(() => undefined);
  if (file !== undefined) {
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  }
  const holder = Number(await readFile(path, "utf8").catch(() => "0"));
  if (holder !== 0 && !isAlive(holder)) await unlink(path);
  return false;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
