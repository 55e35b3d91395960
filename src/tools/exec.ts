import { Type } from "@sinclair/typebox";
import type { Tool, ToolOutput, ToolRun } from "../agent/types.js";
import { withoutSecrets } from "./environment.js";
import { OutputWindow } from "./output-window.js";
import { type CommandEnd, runCommand } from "./run-command.js";
import { type SandboxOptions, sandboxArguments } from "./sandbox.js";
import { Spill } from "./spill.js";
import { systemFailure } from "./system-error.js";
import type { Workspace } from "./workspace.js";

export interface ExecOptions {
  /** How long a command may take when the model does not say. Two minutes. */
  timeoutSeconds: number;
  /** The longest that a model may ask for. Ten minutes. */
  maxTimeoutSeconds: number;
  /** Characters of output in one answer: half of them from the beginning, half from the end. */
  maxOutput: number;
  /** Between asking the processes to end and ending them. */
  graceMs: number;
  /** A folder for the whole of outputs that are cut. Without it, what is cut is gone. */
  spill?: string;
  /** Bytes of one such file. */
  maxSpillBytes: number;
  /** The environment of commands, as it is. The environment of this process without what looks like a secret, otherwise. */
  env: Readonly<Record<string, string>>;
  /** Confines commands (default: they can do whatever the user can). Where that is impossible, no command runs. */
  sandbox?: SandboxOptions;
}

export interface ExecDetails {
  /** Null when a signal ended it. */
  exitCode: number | null;
  signal: string | null;
  /** Why it did not end by itself. */
  stopped?: "aborted" | "time limit";
  /** The file with the whole output. */
  spill?: string;
}

const UPDATE_MS = 100;

/**
 * Runs commands of the shell in the workspace. Without `sandbox` a command can do whatever the user can, anywhere. Permissions
 * decide what may run.
 */
export function execTool(workspace: Workspace, given: Partial<ExecOptions> = {}) {
  const options: ExecOptions = {
    timeoutSeconds: 120,
    maxTimeoutSeconds: 600,
    maxOutput: 30_000,
    graceMs: 2000,
    maxSpillBytes: 64 * 2 ** 20,
    env: withoutSecrets(process.env),
    ...given,
  };
  const parameters = Type.Object({
    command: Type.String({ minLength: 1, description: "A command of the shell." }),
    timeout_seconds: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: options.maxTimeoutSeconds,
        description: `How long it may take; ${options.timeoutSeconds} unless given.`,
      }),
    ),
  });
  const tool: Tool<typeof parameters, ExecDetails> = {
    name: "exec",
    description:
      "Runs a command of the shell in the workspace and returns its output, both streams together. It has no input to read from. " +
      "What it leaves in the background ends with it. The middle of a long output is cut. " +
      confinement(options.sandbox),
    parameters,
    subject: ({ command }) => command,
    execute: ({ command, timeout_seconds = options.timeoutSeconds }, run) =>
      execute(command, timeout_seconds, workspace.root, options, run),
  };
  return tool;
}

function confinement(sandbox: SandboxOptions | undefined): string {
  if (sandbox === undefined) return "It is not confined to the workspace.";
  const network = sandbox.network === true ? "" : ", and has no network";
  return `It runs in a sandbox: it can change files of the workspace only${network}.`;
}

async function execute(
  command: string,
  seconds: number,
  cwd: string,
  { maxOutput, graceMs, maxSpillBytes, env, spill: folder, sandbox }: ExecOptions,
  run: ToolRun<ExecDetails>,
): Promise<ToolOutput<ExecDetails>> {
  const wrapper = sandbox === undefined ? [] : await sandboxArguments(cwd, sandbox);
  const window = new OutputWindow(maxOutput);
  const spill = folder === undefined ? undefined : new Spill(folder, maxOutput, maxSpillBytes);
  const shown = () => window.text((cut) => cutNote(cut, spill));
  const updates = new Throttle(UPDATE_MS, () => run.update({ content: shown() }));
  try {
    const end = await runCommand(command, {
      cwd,
      env,
      wrapper,
      graceMs,
      signal: run.signal,
      timeoutMs: seconds * 1000,
      async onText(text) {
        window.push(text);
        await spill?.push(text);
        updates.schedule();
      },
    });
    const details: ExecDetails = {
      exitCode: end.exitCode,
      signal: end.signal,
      ...(end.stopped === undefined ? {} : { stopped: end.stopped }),
      ...(spill?.path === undefined ? {} : { spill: spill.path }),
    };
    const notes = notesOf(end, seconds);
    const output = shown();
    return {
      content: [output === "" ? "[no output]" : output.replace(/\n$/, ""), ...notes].join("\n"),
      details,
      isError: end.exitCode !== 0 || end.stopped !== undefined,
    };
  } catch (error) {
    throw systemFailure("the command cannot be run", error);
  } finally {
    updates.stop();
    await spill?.close();
  }
}

function notesOf(end: CommandEnd, seconds: number): string[] {
  const notes: string[] = [];
  if (end.stopped === "aborted") notes.push("[the user stopped it]");
  else if (end.stopped === "time limit") notes.push(`[stopped: it took longer than ${seconds} seconds]`);
  else if (end.signal !== null) notes.push(`[ended by ${end.signal}]`);
  else if (end.exitCode !== 0) notes.push(`[exit code ${end.exitCode}]`);
  if (end.abandoned) notes.push("[a process that it started still runs; its output is not read any more]");
  return notes;
}

function cutNote(cut: number, spill: Spill | undefined): string {
  const { path, overflowed } = spill ?? {};
  if (path === undefined) return `[… ${cut} characters cut …]`;
  return `[… ${cut} characters cut; ${overflowed === true ? "the first part" : "all"} of it is in ${path} …]`;
}

/** Does something soon after it was asked to, however often it was asked. */
class Throttle {
  readonly #ms: number;
  readonly #act: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, act: () => void) {
    this.#ms = ms;
    this.#act = act;
  }

  schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#act();
    }, this.#ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
