import { PROVIDER_KEY, type ServedApi, strictProvider } from "../../fakes/strict/provider.js";
import type { Script } from "../../fakes/strict/script.js";
import type { Installed } from "../install.js";
import type { Program } from "../programs/program.js";
import { startRecorder } from "../recorder.js";
import { type Ended, runProgram } from "../run-program.js";
import { createSandbox, type Sandbox } from "../sandbox.js";

type Model = Awaited<ReturnType<typeof strictProvider>>;

/** A program in an empty home, with a model that it can reach. */
export interface Agent {
  sandbox: Sandbox;
  model: Model;
  api: ServedApi;
  /** The environment of the program, and of `dragoman` for the same user. */
  env: Record<string, string>;
  /** Runs the program with these arguments. */
  run(args: readonly string[]): Promise<Ended>;
  /** The program's settings as arguments, which come before a prompt. */
  args: string[];
  /** Other hosts that the program tried to reach. */
  hosts: ReadonlySet<string>;
}

const LIMIT = 120_000;

/** Sets a program up, does some work with it, and removes everything. */
export async function withAgent<T>(
  program: Program,
  { command }: Installed,
  script: (sandbox: Sandbox) => Script,
  work: (agent: Agent) => Promise<T>,
): Promise<T> {
  const [api = "anthropic"] = program.apis;
  const recorder = await startRecorder();
  const sandbox = createSandbox(recorder.url);
  const model = await strictProvider(api, script(sandbox));
  const remove = () => sandbox.remove();
  process.once("exit", remove);
  try {
    recorder.passOnTo(model.url);
    const name = program.sessions.model ?? model.model;
    const connection = { url: recorder.url, key: PROVIDER_KEY, model: name, api };
    const { env, args } = sandbox.apply([program.connect(connection), program.isolate]);
    const run = (words: readonly string[]) =>
      runProgram({ command: [...command, ...words], cwd: sandbox.project, env, limit: LIMIT });
    return await work({ sandbox, model, api, env, args, run, hosts: recorder.hosts });
  } finally {
    process.off("exit", remove);
    await model.close();
    await recorder.close();
    remove();
  }
}

/** Why a run failed; undefined if it did not. */
export function failureOf(what: string, { code, stdout, stderr }: Ended): string | undefined {
  if (code === 0) return undefined;
  const text = `${stderr}\n${stdout}`.trim().slice(-300);
  return `${what}: ${code === undefined ? `not done after ${LIMIT / 1000} s` : `exit code ${code}`}: ${text}`;
}
