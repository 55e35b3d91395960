import { AsyncLocalStorage } from "node:async_hooks";
import { Readable, Writable } from "node:stream";
import type { Ended } from "../../../src/cli/command-line.js";
import type { Finished } from "./run-cli.js";

const commandLine = new URL("../../../dist/cli/command-line.js", import.meta.url).href;

export interface Invocation {
  cwd: string;
  env: NodeJS.ProcessEnv;
  input: string | Uint8Array;
  /** Whether `stdout` gets both outputs, in the order of writing (default: no). */
  merged?: boolean;
}

/** Set while a command runs, with the environment of the tests. */
let testEnv: NodeJS.ProcessEnv | undefined;
const inCommand = new AsyncLocalStorage<true>();
/** What commands want to be called when the process exits. What they do not unregister is called after every command. */
const atExit = new Set<() => void>();

/** Whether a command can run in this process: one at a time, because all share one working directory and environment. */
export function isFree(): boolean {
  return testEnv === undefined;
}

/** The environment of the tests, also while a command runs with its own. */
export function environment(): NodeJS.ProcessEnv {
  return { ...(testEnv ?? process.env) };
}

/**
 * Runs the built command line in this process, where its modules are loaded only once. It gets its own arguments, working
 * directory, environment and standard streams, none of which is a terminal. What is left open when it returns would keep a
 * process alive, and is not noticed here.
 */
export async function runInProcess(
  args: readonly string[],
  { cwd, env, input, merged = false }: Invocation,
): Promise<Finished> {
  const stdout = new Collected();
  const stderr = merged ? stdout : new Collected();
  const chunks = input.length === 0 ? [] : [Buffer.from(input)];
  const folder = process.cwd();
  testEnv = environment();
  const restore = [
    replace("stdin", Readable.from(chunks, { objectMode: false })),
    replace("stdout", stdout),
    replace("stderr", stderr),
    replace("on", registering("on")),
    replace("once", registering("once")),
    replace("off", unregistering()),
  ];
  try {
    const { runCommandLine }: { runCommandLine(args: readonly string[]): Promise<Ended> } = await import(
      commandLine
    );
    setEnvironment(env);
    process.chdir(cwd);
    const { code } = await inCommand.run(true, () => runCommandLine(args));
    for (const callback of atExit) callback();
    return { code, stdout: stdout.text(), stderr: merged ? "" : stderr.text() };
  } finally {
    process.chdir(folder);
    setEnvironment(testEnv);
    for (const undo of restore) undo();
    testEnv = undefined;
  }
}

/** Everything that was written, as one text. Writing after the command has returned is an error. */
class Collected extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  text(): string {
    this.end();
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}

/** Replaces a property of the process for commands; what else runs meanwhile, such as a warning of Node.js, keeps the old one. */
function replace(name: "stdin" | "stdout" | "stderr" | "on" | "once" | "off", value: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(process, name);
  const original: unknown = process[name];
  Object.defineProperty(process, name, {
    get: () => (inCommand.getStore() === undefined ? original : value),
    configurable: true,
  });
  return () => {
    if (own === undefined) Reflect.deleteProperty(process, name);
    else Object.defineProperty(process, name, own);
  };
}

/** `process.on` that keeps the commands' exit handlers for itself, and ignores their handlers of signals. */
function registering(name: "on" | "once") {
  const original = process[name];
  return (event: string, listener: () => void): NodeJS.Process => {
    if (event === "exit") atExit.add(listener);
    else if (!event.startsWith("SIG")) return Reflect.apply(original, process, [event, listener]);
    return process;
  };
}

/** `process.off` for what `registering` has kept. */
function unregistering() {
  const original = process.off;
  return (event: string, listener: () => void): NodeJS.Process => {
    if (event === "exit") atExit.delete(listener);
    else if (!event.startsWith("SIG")) return Reflect.apply(original, process, [event, listener]);
    return process;
  };
}

/** Changes the real environment, because the time zone and the home folder are read from there. */
function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) {
    if (env[name] === undefined) Reflect.deleteProperty(process.env, name);
  }
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && process.env[name] !== value) process.env[name] = value;
  }
}
