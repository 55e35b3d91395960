import { startGateway, stopServers } from "../../bench/support/server-process.js";
import type { Loss } from "../../src/core/types.js";
import { PROVIDER_KEY, type ServedApi, strictProvider } from "../fakes/strict/provider.js";
import type { Installed } from "./install.js";
import type { Program } from "./programs/program.js";
import { type Exchange, startRecorder } from "./recorder.js";
import { type Ended, runProgram } from "./run-program.js";
import { createSandbox } from "./sandbox.js";
import { createTask } from "./task.js";

/** Who serves a model in each API. */
export const providers: Record<ServedApi, string> = {
  anthropic: "anthropic",
  "openai-responses": "openai",
  "openai-chat": "deepseek",
  google: "google",
  ollama: "ollama",
};

/** A program that speaks one API, and a model whose provider speaks another or the same. */
export interface Route {
  program: Program;
  from: ServedApi;
  to: ServedApi;
}

export interface Verdict extends Route {
  version: string;
  model: string;
  /** How many turns called tools. */
  turns: number;
  /** What went wrong; empty if nothing did. */
  problems: string[];
  /** What the gateway reported as lost, each kind once. */
  losses: Loss[];
  /** Other hosts that the program tried to reach. */
  hosts: string[];
  /** What the program printed. */
  output: string;
}

const LIMIT = 120_000;

/** Runs the task with the program on one route, from empty homes. */
export async function judge(route: Route, { version, command }: Installed): Promise<Verdict> {
  const { program, from, to } = route;
  const recorder = await startRecorder();
  const sandbox = createSandbox(recorder.url);
  const task = createTask(sandbox.project);
  const provider = await strictProvider(to, task.script);
  const model = `${providers[to]}/${provider.model}`;
  const config = {
    providers: {
      [providers[to]]: { baseUrl: provider.baseUrl, apiKey: PROVIDER_KEY, api: to, maxRetries: 0 },
    },
    models: { [model]: {} },
  };
  const gateway = await startGateway(sandbox.gateway, config);
  const onExit = () => {
    gateway.process.kill("SIGKILL");
    sandbox.remove();
  };
  process.once("exit", onExit);
  try {
    recorder.passOnTo(gateway.url);
    const connection = { url: recorder.url, key: gateway.token, model, api: from };
    const { env, args } = sandbox.apply([program.connect(connection), program.isolate]);
    const ended = await runProgram({
      command: [...command, ...program.run(task.prompt, args)],
      cwd: sandbox.project,
      env,
      limit: LIMIT,
    });
    const { exchanges, hosts } = recorder;
    return {
      ...route,
      version,
      model,
      turns: task.turns(),
      // Programs repeat what fails.
      problems: distinct([
        ...exitProblems(ended),
        ...provider.refusals.map((text) => `the provider refused: ${text}`),
        ...exchanges.flatMap(exchangeProblems),
        ...[task.problem(ended.stdout)].filter((text) => text !== undefined),
      ]),
      losses: lossesIn(exchanges),
      hosts: [...hosts].sort(),
      output: `${ended.stdout}\n${ended.stderr}`,
    };
  } finally {
    process.off("exit", onExit);
    await stopServers([gateway]);
    await provider.close();
    await recorder.close();
    sandbox.remove();
  }
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.replace(/"request_id":"\w+"/, '"request_id":"…"')))];
}

function exitProblems({ code }: Ended): string[] {
  if (code === 0) return [];
  return [code === undefined ? `not done after ${LIMIT / 1000} s` : `exit code ${code}`];
}

function exchangeProblems({ method, path, status, text }: Exchange): string[] {
  return status < 400 ? [] : [`${method} ${path.replace(/\?.*/, "")}: ${status} ${text.slice(0, 300)}`];
}

/** Every request of a loop loses the same things, so that each is listed once. */
function lossesIn(exchanges: readonly Exchange[]): Loss[] {
  const losses = exchanges.flatMap(({ headers }): Loss[] => {
    const header = headers["x-dragoman-losses"];
    return typeof header === "string" ? JSON.parse(header) : [];
  });
  const kinds = new Map(losses.map((loss) => [`${loss.severity} ${loss.what}`, loss]));
  return [...kinds.keys()].sort().flatMap((kind) => kinds.get(kind) ?? []);
}
