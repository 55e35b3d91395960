import { once } from "node:events";
import type { Readable } from "node:stream";
import { onAbort } from "../core/async/on-abort.js";
import { PlainText } from "./plain-text.js";
import { ProcessGroup, spawnShell } from "./process-group.js";

export interface CommandOptions {
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** A program with its arguments that runs the shell. */
  wrapper?: readonly string[];
  /** Between SIGTERM and SIGKILL. */
  graceMs: number;
  /** Ends the command, with every process it has started; so does the timeout. */
  signal: AbortSignal;
  timeoutMs: number;
  /** Receives the output as it arrives, as plain text. More is read once it resolves. */
  onText(text: string): Promise<void>;
}

export interface CommandEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Why the command was stopped. */
  stopped?: "aborted" | "time limit";
  /** A process that left the group still has the output open; it is no longer read. */
  abandoned: boolean;
}

/** How long to wait for the end of the output after every process of the group has ended. */
const DRAIN_MS = 1000;

/** Runs a shell command to its end. Its background processes end with it. */
export async function runCommand(command: string, options: CommandOptions): Promise<CommandEnd> {
  const group = new ProcessGroup(spawnShell(command, options.cwd, options.env, options.wrapper));
  const { child } = group;
  const exit = once(child, "exit");
  const outputs = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const reading = Promise.all(outputs.map((stream) => readText(stream, options.onText)));

  let stopped: CommandEnd["stopped"];
  let ending: Promise<void> | undefined;
  const end = () => {
    ending ??= group.end(options.graceMs);
    return ending;
  };
  const stop = (reason: CommandEnd["stopped"]) => {
    stopped ??= reason;
    void end();
  };
  const timer = setTimeout(() => stop("time limit"), options.timeoutMs);
  const unlisten = onAbort(options.signal, () => stop("aborted"));
  // Output that cannot be processed also ends the command.
  reading.catch(end);
  try {
    await exit;
  } finally {
    clearTimeout(timer);
    unlisten();
  }
  await end();
  const abandoned = await isAbandoned(reading, outputs);
  const reason = stopped === undefined ? {} : { stopped };
  return { exitCode: child.exitCode, signal: child.signalCode, ...reason, abandoned };
}

/** Waits for the end of the output; true when it stayed open for too long. */
async function isAbandoned(reading: Promise<unknown>, outputs: readonly Readable[]): Promise<boolean> {
  let abandoned = false;
  const timer = setTimeout(() => {
    abandoned = true;
    for (const stream of outputs) stream.destroy();
  }, DRAIN_MS);
  try {
    await reading;
  } catch (error) {
    if (!abandoned) throw error;
  } finally {
    clearTimeout(timer);
  }
  return abandoned;
}

/** Decodes a stream to plain text as it arrives. */
export async function readText(stream: Readable, onText: (text: string) => Promise<void>): Promise<void> {
  const decoder = new TextDecoder();
  const plain = new PlainText();
  const push = async (decoded: string) => {
    const text = plain.push(decoded);
    if (text !== "") await onText(text);
  };
  for await (const chunk of stream) await push(decoder.decode(chunk, { stream: true }));
  await push(decoder.decode());
}
