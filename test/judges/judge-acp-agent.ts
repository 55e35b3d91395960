import { once } from "node:events";
import { readFileSync } from "node:fs";
import { WebSocket } from "ws";
import { type ServerProcess, startGateway, stopServers } from "../../bench/support/server-process.js";
import { connectDragoman } from "../../src/client/client.js";
import { untilAborted } from "../../src/core/async/until-aborted.js";
import { noteOf } from "../../src/core/message/notes.js";
import type { AgentMessage } from "../../src/core/types.js";
import { TokenStore } from "../../src/gateway/auth/token-store.js";
import { openCells } from "../../src/log/files/cells.js";
import { PROVIDER_KEY, strictProvider } from "../fakes/strict/provider.js";
import type { AcpAgent } from "./acp-agents.js";
import { installProgram } from "./install.js";
import { type Recorder, startRecorder } from "./recorder.js";
import { createSandbox } from "./sandbox.js";
import { createTask } from "./task.js";

/** What one program did as our agent. */
export interface AcpAgentVerdict {
  title: string;
  version: string;
  /** Tool calls in our log. */
  calls: number;
  /** Questions that it asked. */
  asked: number;
  /** Whether it continued its own session after it was killed, and after the gateway was killed. */
  resumed: boolean;
  /** What went wrong; empty if nothing did. */
  problems: string[];
}

const LIMIT = 60_000;
const KEY = "agent:judged:main";
/** The prompts that a kill interrupts, and the questions after them. */
const INTERRUPTED = ["Look once more, part one.", "Look once more, part two."] as const;
const AFTER = ["Is the note written?", "Is the note still there?"] as const;

/**
 * Has a program do a task as our agent, with our own gateway as its model. Then the program and the gateway are killed, each
 * while a prompt waits for the model, and the agent is asked again. The model answers these questions without new calls only if
 * it is shown the task: the program has resumed its session. A program that cannot do that is fine if the log records it.
 */
export async function judgeAcpAgent(agent: AcpAgent, version: string): Promise<AcpAgentVerdict> {
  const { command } = await installProgram(agent, version);
  const recorder = await startRecorder();
  const sandbox = createSandbox(recorder.url);
  const task = createTask(sandbox.project);
  const provider = await strictProvider(agent.api, task.script);
  const model = `${agent.provider}/${provider.model}`;
  const { secret: token } = await new TokenStore(openCells(sandbox.gateway)).create("judge", "admin");
  const settings = await agent.settings({ url: recorder.url, key: token, model, api: agent.api });
  const { env, args } = sandbox.apply(settings);
  const [program = "", ...rest] = command;
  const { authMethod, resume } = agent;
  const config = {
    providers: {
      [agent.provider]: { baseUrl: provider.baseUrl, apiKey: PROVIDER_KEY, api: agent.api, maxRetries: 0 },
    },
    models: { [model]: {} },
    agents: {
      judged: {
        acp: { command: program, args: [...rest, ...(agent.args ?? []), ...args], env, authMethod, resume },
        workspace: sandbox.project,
      },
    },
  };
  const start = async () => {
    const started = await startGateway(sandbox.gateway, config);
    recorder.passOnTo(started.url);
    return started;
  };
  let gateway: ServerProcess | undefined;
  try {
    gateway = await start();
    const done = await talk({ url: gateway.url, token }, task.prompt);
    const wrong = task.problem(textIn(done.messages));

    const { pid = 0 } = gateway.process;
    const cut = await interrupt({ url: gateway.url, token, recorder }, INTERRUPTED[0], (ended) => {
      for (const child of childrenOf(pid)) process.kill(child, "SIGKILL");
      return ended();
    });
    const afterProgram = await talk({ url: gateway.url, token }, AFTER[0]);

    const killed = gateway.process;
    await interrupt({ url: gateway.url, token, recorder }, INTERRUPTED[1], async () => {
      killed.kill("SIGKILL");
      await once(killed, "close");
    });
    gateway = await start();
    const afterGateway = await talk({ url: gateway.url, token }, AFTER[1]);

    const calls = callsIn(done.messages);
    const resumed = callsIn(afterGateway.messages) === calls;
    const texts = [task.prompt, INTERRUPTED[0], AFTER[0], INTERRUPTED[1], AFTER[1]];
    const problems = [
      ...done.problems,
      ...(cut === "error" ? [] : [`the run of a killed program ended: ${cut}`]),
      ...[...afterProgram.problems, ...afterGateway.problems],
      ...(wrong === undefined ? [] : [wrong]),
      ...differences(texts, afterGateway.messages),
      ...(resumed || recordsForgotten(afterGateway.messages)
        ? []
        : ["the session was not resumed, and the log does not record it"]),
      ...texts
        .filter((text) => provider.requests.some(({ body }) => occurrences(JSON.stringify(body), text) > 1))
        .map((text) => `the model was shown ${JSON.stringify(text)} twice`),
      ...provider.refusals.map((text) => `the provider refused: ${text}`),
    ];
    return {
      title: agent.title,
      version,
      calls,
      asked: done.asked,
      resumed,
      problems: [...new Set(problems)],
    };
  } finally {
    if (gateway !== undefined) await stopServers([gateway]);
    await provider.close();
    await recorder.close();
    sandbox.remove();
  }
}

interface Gateway {
  url: string;
  token: string;
}

interface Talk {
  /** The whole session. */
  messages: AgentMessage[];
  asked: number;
  problems: string[];
}

const connect = ({ url, token }: Gateway) =>
  connectDragoman({ url: `${url.replace(/^http/, "ws")}/rpc`, token, WebSocket });

/** Sends a message and allows what the agent asks for, until the run has ended. */
async function talk(gateway: Gateway, text: string): Promise<Talk> {
  const client = await connect(gateway);
  const problems: string[] = [];
  let asked = 0;
  const late = AbortSignal.timeout(LIMIT);
  try {
    await client.send(KEY, { text });
    // The message may wait for the end of an earlier run.
    let [isSent, isAnswered] = [false, false];
    for await (const event of client.watch(KEY, { after: 0, asks: true, signal: late })) {
      if (event.type === "message") {
        const { message } = event;
        isSent ||= message.role === "user" && message.content === text;
        isAnswered ||= isSent && message.role === "assistant";
      }
      if (event.type === "permission" && event.state === "asked") {
        asked++;
        const { id } = event.request;
        await client.call("permission.answer", { sessionKey: KEY, id, answer: "once" });
      }
      if (event.type !== "run_end" || !isAnswered) continue;
      if (event.outcome !== "done") problems.push(`the run ended: ${event.outcome} ${event.error ?? ""}`);
      break;
    }
    if (late.aborted) problems.push(`not done after ${LIMIT / 1000} s`);
    const { messages } = await client.call("chat.history", { sessionKey: KEY, limit: 1000 });
    return { messages: messages.map(({ message }) => message), asked, problems };
  } finally {
    client.close();
  }
}

/** Sends a message, and kills something when the model is asked. Returns what `kill` returns. */
async function interrupt<T>(
  { recorder, ...gateway }: Gateway & { recorder: Recorder },
  text: string,
  kill: (ended: () => Promise<string>) => Promise<T>,
): Promise<T> {
  const client = await connect(gateway);
  const signal = AbortSignal.timeout(LIMIT);
  try {
    const held = recorder.hold();
    const { runId } = await client.send(KEY, { text });
    await untilAborted(held, signal);
    return await kill(async () => {
      for await (const event of client.watch(KEY, { after: 0, signal })) {
        if (event.type === "run_end" && event.runId === runId) return event.outcome;
      }
      return `not after ${LIMIT / 1000} s`;
    });
  } finally {
    client.close();
    recorder.release();
  }
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}

function recordsForgotten(messages: readonly AgentMessage[]): boolean {
  return messages.some((message) => {
    const note = noteOf(message);
    return (
      note?.type === "dragoman/losses" && note.data.losses.some(({ what }) => what === "earlier messages")
    );
  });
}

/** The log must have each message of the user once, in order. */
function differences(texts: readonly string[], messages: readonly AgentMessage[]): string[] {
  const stored = messages.flatMap((message) => (message.role === "user" ? [message.content] : []));
  if (JSON.stringify(stored) === JSON.stringify(texts)) return [];
  return [`the log has other messages of the user: ${JSON.stringify(stored)}`];
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

function callsIn(messages: readonly AgentMessage[]): number {
  return messages.filter(({ role }) => role === "toolResult").length;
}

function textIn(messages: readonly AgentMessage[]): string {
  return messages
    .flatMap((message) => (message.role === "assistant" ? message.content : []))
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n");
}
