import { once } from "node:events";
import type { Readable } from "node:stream";
import { PlainText } from "./plain-text.js";
import { ProcessGroup } from "./process-group.js";

export interface CommandOptions {
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Between asking the processes to end and ending them. */
  graceMs: number;
  /** Ends the command, with everything it has started. */
  signal: AbortSignal;
  /** Gets the output as it comes, as plain text. More is read when it is done. */
  take(text: string): Promise<void>;
}

export interface CommandEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** It did not end by itself. */
  stopped: boolean;
  /** A process that left the group still holds the output open; what it says is not heard any more. */
  abandoned: boolean;
}

/** How long to wait for the end of the output when everybody who should write has gone. */
const DRAIN_MS = 1000;

/** Runs a command of the shell to its end. What it leaves in the background ends with it. */
export async function runCommand(command: string, options: CommandOptions): Promise<CommandEnd> {
  const group = new ProcessGroup(command, options.cwd, options.env);
  const { child } = group;
  const exit = once(child, "exit");
  const outputs = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const reading = Promise.all(outputs.map((stream) => readText(stream, options.take)));

  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= group.end(options.graceMs);
  };
  // Output that nobody can take any more is a reason to stop, too.
  reading.catch(stop);
  options.signal.addEventListener("abort", stop);
  if (options.signal.aborted) stop();
  await exit.finally(() => options.signal.removeEventListener("abort", stop));
  const stopped = stopping !== undefined;
  await (stopping ?? group.end(options.graceMs));
  const abandoned = await finished(reading, outputs);
  return { exitCode: child.exitCode, signal: child.signalCode, stopped, abandoned };
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
