import * as Type from "@sinclair/typebox";
import type { Tool, ToolOutput, ToolRun } from "../agent/types.js";
import { withoutSecrets } from "./environment.js";
import { OutputWindow } from "./output-window.js";
import { type CommandEnd, runCommand } from "./run-command.js";
import { type SandboxOptions, sandboxArguments } from "./sandbox.js";
import { Spill } from "./spill.js";
import { systemFailure } from "./system-error.js";
import type { Workspace } from "./workspace.js";

export interface ExecOptions {
  /** The timeout when the model sets none (default: 120). */
  timeoutSeconds: number;
  /** The longest timeout that a model may set (default: 600). */
  maxTimeoutSeconds: number;
  /** Characters of output in one result: half from the beginning, half from the end. */
  maxOutput: number;
  /** Between SIGTERM and SIGKILL. */
  graceMs: number;
  /** A folder for the full text of truncated outputs (default: the cut part is discarded). */
  spill?: string;
  /** The size limit of one such file. */
  maxSpillBytes: number;
  /** The commands' environment (default: this process's environment without apparent secrets). */
  env: Readonly<Record<string, string>>;
  /** Confines commands (default: they can do whatever the user can). If confinement is impossible, no command runs. */
  sandbox?: SandboxOptions;
}

export interface ExecDetails {
  /** Null when a signal ended the command. */
  exitCode: number | null;
  signal: string | null;
  /** Why the command was stopped. */
  stopped?: "aborted" | "time limit";
  /** The file with the full output. */
  spill?: string;
}

const UPDATE_MS = 100;

/**
 * Runs shell commands in the workspace. Without `sandbox` a command can do whatever the user can, anywhere. Permissions decide
 * which commands may run.
 */
export function execTool(workspace: Workspace, given: Partial<ExecOptions> = {}) {
  const options: ExecOptions = {
    timeoutSeconds: 120,
    maxTimeoutSeconds: 600,
    maxOutput: 30_000,
    graceMs: 2000,
    maxSpillBytes: 64 * 2 ** 20,
    ...given,
    // Only a command needs it.
    get env() {
      return given.env ?? withoutSecrets(process.env);
    },
  };
  const parameters = Type.Object({
    command: Type.String({ minLength: 1, description: "A shell command." }),
    timeout_seconds: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: options.maxTimeoutSeconds,
        description: `The timeout in seconds (default: ${options.timeoutSeconds}).`,
      }),
    ),
  });
  const tool: Tool<typeof parameters, ExecDetails> = {
    name: "exec",
    description:
      "Runs a shell command in the workspace and returns its output, both streams together. It has no input to read from. " +
      "Background processes end with it. The middle of a long output is cut. " +
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
    const { abandoned: _, ...details } = end;
    const output = shown();
    return {
      content: [output === "" ? "[no output]" : output.replace(/\n$/, ""), ...notesOf(end, seconds)].join(
        "\n",
      ),
      details: { ...details, ...(spill?.path === undefined ? {} : { spill: spill.path }) },
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
  if (end.abandoned) notes.push("[a process it started is still running; its output is no longer read]");
  return notes;
}

function cutNote(cut: number, spill: Spill | undefined): string {
  const { path, overflowed } = spill ?? {};
  if (path === undefined) return `[… ${cut} characters cut …]`;
  return `[… ${cut} characters cut; ${overflowed === true ? "the first part" : "all"} of it is in ${path} …]`;
}

/** Acts once, `ms` after the first of any number of requests. */
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
