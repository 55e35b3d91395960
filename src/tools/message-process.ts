import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { DragomanError, type ErrorCode, wordsOf } from "../core/error.js";
import { jsonIn } from "../core/json/parse.js";
import { LineSplitter } from "../framing/lines.js";
import { ProcessGroup } from "./process-group.js";
import { readText } from "./run-command.js";

export interface ProcessCommand {
  command: string;
  args: readonly string[];
  /** The whole environment of the process. */
  env: Readonly<Record<string, string>>;
  cwd: string;
}

export interface ProcessEvents {
  /** A line of its standard output, parsed. */
  onMessage(value: unknown): void;
  /** The process has ended by itself, and why. Not called after `close`. */
  onClose(why: Error): void;
  /** A line for the log: its standard error, or a note about what it sent. */
  onLine(line: string): void;
}

/** The codes of errors: the process has ended, or has sent what cannot be read. */
export interface ProcessErrors {
  ended: ErrorCode;
  unreadable: ErrorCode;
}

/** The largest message that is read. */
export const MAX_MESSAGE_BYTES = 32 * 2 ** 20;

/** How long a process has to exit after its input is closed, and after SIGTERM. */
const GRACE_MS = 2000;

const MAX_LINE = 4000;

const onWindows = process.platform === "win32";

/**
 * Runs the program, and beside it a process that waits at the other end of our pipe. The pipe closes when this process dies,
 * even if it is killed; if the program does not exit then, the waiting process ends its group. A line on the pipe dismisses it.
 */
const GUARDED = `((trap "" TERM; read line <&3 && exit; sleep ${GRACE_MS / 1000}; kill -TERM 0; sleep ${GRACE_MS / 1000}; kill -KILL 0) </dev/null >/dev/null 2>&1 &); exec "$@" 3<&-`;

function start({ command, args, env, cwd }: ProcessCommand): ChildProcess {
  if (onWindows) {
    // `npx` and others are scripts there, which only a shell can run.
    const words = [command, ...args].map((word) => (/[\s"&|<>^]/.test(word) ? JSON.stringify(word) : word));
    return spawn(words.join(" "), { cwd, env, shell: true, windowsHide: true, stdio: "pipe" });
  }
  return spawn("/bin/sh", ["-c", GUARDED, "sh", command, ...args], {
    cwd,
    env,
    detached: true,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  });
}

/** A child process with one JSON message per line on its standard input and output. It ends with this process. */
export class MessageProcess {
  readonly #events: ProcessEvents;
  readonly #errors: ProcessErrors;
  readonly #group: ProcessGroup;
  readonly #program: string;
  readonly #lines: string[] = [];
  readonly #exited: Promise<void>;
  #isOver = false;
  #why: Error | undefined;

  constructor(command: ProcessCommand, events: ProcessEvents, errors: ProcessErrors) {
    this.#events = events;
    this.#errors = errors;
    this.#program = command.command;
    const child = start(command);
    this.#group = new ProcessGroup(child);
    for (const stream of child.stdio) stream?.on("error", () => undefined);
    this.#exited = this.#watch(child);
  }

  /** Writes a line. */
  async write(text: string): Promise<void> {
    const { stdin } = this.#group.child;
    const failure = await new Promise<Error | null | undefined>((resolve) => {
      if (this.#isOver || stdin === null) resolve(this.#gone("the process is not running"));
      else stdin.write(`${text}\n`, resolve);
    });
    if (failure == null) return;
    // The exit of the process says more than a broken pipe.
    await this.#exited;
    throw this.#why ?? failure;
  }

  /** Closes the input, and ends what is left of its process group if that is not enough. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#group.child.stdin?.end();
    const enough = new AbortController();
    await Promise.race([
      this.#exited,
      pause(GRACE_MS, undefined, { signal: enough.signal }).catch(() => undefined),
    ]);
    enough.abort();
    await this.#endGroup();
    await this.#exited;
  }

  async #watch(child: ChildProcess): Promise<void> {
    const { stdout, stderr } = child;
    const reading = Promise.all([
      stdout === null ? undefined : this.#readMessages(stdout),
      stderr === null ? undefined : this.#readLines(stderr),
    ]);
    try {
      await once(child, "exit");
    } catch (error) {
      this.#end(this.#gone(wordsOf(error)));
      return;
    }
    await this.#endGroup();
    // The last messages and lines are in the pipes when the process has ended.
    await Promise.race([reading.catch(() => undefined), pause(GRACE_MS, undefined, { ref: false })]);
    this.#end(this.#gone(exitWords(child, this.#program)));
  }

  async #endGroup(): Promise<void> {
    const [, , , guard] = this.#group.child.stdio;
    if (guard != null && "write" in guard) guard.end("\n");
    await this.#group.end(GRACE_MS);
  }

  async #readMessages(stdout: AsyncIterable<Uint8Array>): Promise<void> {
    const splitter = new LineSplitter({ maxLineBytes: MAX_MESSAGE_BYTES });
    const decoder = new TextDecoder();
    try {
      for await (const chunk of stdout) {
        for (const { bytes } of splitter.push(chunk)) this.#accept(decoder.decode(bytes));
      }
    } catch (error) {
      this.#end(
        new DragomanError(
          this.#errors.unreadable,
          `it sent a message that cannot be read: ${wordsOf(error)}`,
        ),
      );
      await this.#endGroup();
    }
  }

  #accept(line: string): void {
    if (line.trim() === "") return;
    const value = jsonIn(line);
    if (value === undefined) this.#note(`not a message: ${line}`);
    else this.#events.onMessage(value);
  }

  async #readLines(stderr: NonNullable<ChildProcess["stderr"]>): Promise<void> {
    let rest = "";
    await readText(stderr, async (text) => {
      const lines = (rest + text).split("\n");
      // A line without an end is cut, so that it cannot grow forever.
      rest = (lines.pop() ?? "").slice(0, MAX_LINE);
      for (const line of lines) this.#note(line);
    });
    this.#note(rest);
  }

  #note(line: string): void {
    if (line.trim() === "") return;
    const cut = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
    if (this.#lines.push(cut) > 5) this.#lines.shift();
    this.#events.onLine(cut);
  }

  #end(why: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#why = why;
    this.#events.onClose(why);
  }

  #gone(why: string): DragomanError {
    const last = this.#lines.at(-1);
    // A shell's own message says nothing that the reason does not.
    const isShown = last !== undefined && ![126, 127].includes(this.#group.child.exitCode ?? 0);
    return new DragomanError(this.#errors.ended, isShown ? `${why}; its last output was: ${last}` : why);
  }
}

function exitWords({ exitCode, signalCode }: ChildProcess, program: string): string {
  // The codes of a shell that cannot run a program.
  if (exitCode === 127) return `the program ${JSON.stringify(program)} was not found`;
  if (exitCode === 126) return `the program ${JSON.stringify(program)} cannot be run`;
  return signalCode === null
    ? `the process exited with code ${exitCode}`
    : `the process was ended by ${signalCode}`;
}
