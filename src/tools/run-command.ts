import { once } from "node:events";
import type { Readable } from "node:stream";
import { PlainText } from "./plain-text.js";
import { ProcessGroup } from "./process-group.js";

export interface CommandOptions {
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** A program with its arguments that runs the shell. */
  wrapper?: readonly string[];
  /** Between asking the processes to end and ending them. */
  graceMs: number;
  /** Either ends the command, with everything it has started. */
  signal: AbortSignal;
  timeoutMs: number;
  /** Gets the output as it comes, as plain text. More is read when it is done. */
  onText(text: string): Promise<void>;
}

export interface CommandEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Why it did not end by itself. */
  stopped?: "aborted" | "time limit";
  /** A process that left the group still holds the output open; what it says is not heard any more. */
  abandoned: boolean;
}

/** How long to wait for the end of the output when everybody who should write has gone. */
const DRAIN_MS = 1000;

/** Runs a command of the shell to its end. What it leaves in the background ends with it. */
export async function runCommand(command: string, options: CommandOptions): Promise<CommandEnd> {
  const group = new ProcessGroup(command, options.cwd, options.env, options.wrapper);
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
  const abort = () => stop("aborted");
  const timer = setTimeout(() => stop("time limit"), options.timeoutMs);
  options.signal.addEventListener("abort", abort);
  if (options.signal.aborted) abort();
  // Output that nobody can take is a reason to end it, too.
  reading.catch(end);
  try {
    await exit;
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener("abort", abort);
  }
  await end();
  const abandoned = await finished(reading, outputs);
  const reason = stopped === undefined ? {} : { stopped };
  return { exitCode: child.exitCode, signal: child.signalCode, ...reason, abandoned };
}

/** Waits for the end of the output, and gives up when somebody keeps it open: true then. */
async function finished(reading: Promise<unknown>, outputs: readonly Readable[]): Promise<boolean> {
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

/** Bytes to plain text, as they come. */
export async function readText(stream: Readable, take: (text: string) => Promise<void>): Promise<void> {
  const decoder = new TextDecoder();
  const plain = new PlainText();
  const give = async (decoded: string) => {
    const text = plain.push(decoded);
    if (text !== "") await take(text);
  };
  for await (const chunk of stream) {
    await give(decoder.decode(chunk, { stream: true }));
  }
  await give(decoder.decode());
}
