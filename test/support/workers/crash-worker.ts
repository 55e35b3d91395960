import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/**
 * Opens a home, answers what was left, and sends message after message, alternating between an answer in words and one with
 * tools; the second of them while the first is being answered. It prints the id of each message that was accepted, and nothing before it is. `{"error"}` is what was refused.
 */
const script = `
import { writeSync } from "node:fs";
import { Runtime } from "dragoman/runtime";
const [home, key, writer] = process.argv.slice(1);
const runtime = new Runtime({ home, config: {
  model: "demo/script",
  agents: { main: { permissions: [{ tool: "*", action: "allow" }] } },
} });
const scripts = [
  "say: " + "one two three four five ".repeat(60),
  'say: let me look\\ncall: exec {"command":"sleep 0.02"}\\ncall: write {"file_path":"f","content":"x"}\\n---\\nsay: done and done',
];
for (const left of await runtime.resume()) await left.idle();
const conversation = await runtime.begin({ key });
writeSync(1, "ready\\n");
for (let count = 0; ; count++) {
  const content = scripts[count % scripts.length];
  try {
    const { message } = await conversation.send({ role: "user", content, timestamp: Date.now(), sender: writer }, "followup");
    writeSync(1, message.id + "\\n");
  } catch (error) {
    writeSync(1, JSON.stringify({ error: error.code ?? error.message }) + "\\n");
  }
  if (count % 2 === 1) await conversation.idle();
}
`;

export interface Worker {
  /** Ids of the messages it was told are stored, as they come. */
  accepted: string[];
  refused: string[];
  ready: Promise<void>;
  /** Fulfilled when it has been told of so many messages that they are stored. */
  hasSent(count: number): Promise<void>;
  /** Kills it, without a chance to do anything about it. */
  kill(): Promise<void>;
}

/** A process that works in a home until it is killed. */
export function startWorker(home: string, key: string, writer: string): Worker {
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, home, key, writer], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const accepted: string[] = [];
  const refused: string[] = [];
  const lines = createInterface({ input: child.stdout });
  const watchers = new Set<() => void>();
  const ready = new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error("the worker ended before it was ready")));
    lines.on("line", (line) => {
      if (line === "ready") resolve();
      else if (line.startsWith("{")) refused.push(line);
      else accepted.push(line);
      for (const watcher of watchers) watcher();
    });
  });
  ready.catch(() => undefined);
  const gone = Promise.all([once(child, "exit"), once(lines, "close")]);
  return {
    accepted,
    refused,
    ready,
    hasSent: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (accepted.length + refused.length < count) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}
