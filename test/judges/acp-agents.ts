import { once } from "node:events";
import { WebSocket } from "ws";
import { type ServerProcess, startGateway, stopServers } from "../../bench/support/server-process.js";
import { connectDragoman } from "../../src/client/client.js";
import { noteOf } from "../../src/core/message/notes.js";
import type { AgentMessage } from "../../src/core/types.js";
import { TokenStore } from "../../src/gateway/auth/token-store.js";
import { openCells } from "../../src/log/files/cells.js";
import { PROVIDER_KEY, type ServedApi, strictProvider } from "../fakes/strict/provider.js";
import { installProgram, type Package } from "./install.js";
import { claudeCode } from "./programs/claude-code.js";
import { codex } from "./programs/codex.js";
import { geminiCli } from "./programs/gemini-cli.js";
import type { Connection, Settings } from "./programs/program.js";
import { startRecorder } from "./recorder.js";
import { createSandbox } from "./sandbox.js";
import { createTask } from "./task.js";

/** A released program that speaks ACP, and how it is pointed at a model. */
interface AcpAgent extends Package {
  version: string;
  api: ServedApi;
  provider: string;
  args?: readonly string[];
  authMethod?: string;
  settings(connection: Connection): Promise<Settings[]>;
}

const CODEX_SETTINGS = `approval_policy = "on-request"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
`;

const CODEX_TABLES = `
[analytics]
enabled = false
[features]
plugins = false
apps = false
remote_plugin = false
plugin_discovery_prefetch = false
`;

export const acpAgents: readonly AcpAgent[] = [
  {
    name: "gemini-cli",
    title: "Gemini CLI",
    package: geminiCli.package,
    version: geminiCli.version,
    entry: geminiCli.entry,
    node: "any",
    api: "google",
    provider: "google",
    args: ["--acp"],
    authMethod: "gemini-api-key",
    settings: async (connection) => [
      geminiCli.connect(connection),
      { env: geminiCli.isolate.env ?? {}, files: geminiCli.isolate.files ?? {} },
    ],
  },
  {
    name: "codex-acp",
    title: "Codex (codex-acp)",
    package: "@agentclientprotocol/codex-acp",
    version: "2.6.0",
    entry: "@agentclientprotocol/codex-acp/dist/index.js",
    node: ">=22",
    api: "openai-responses",
    provider: "openai",
    async settings(connection) {
      const { command } = await installProgram(codex, codex.version);
      const { env = {}, files = {} } = codex.connect(connection);
      const config = `${CODEX_SETTINGS}${String(files[".codex/config.toml"])}${CODEX_TABLES}`;
      return [{ env: { ...env, CODEX_PATH: command[0] ?? "" }, files: { ".codex/config.toml": config } }];
    },
  },
  {
    name: "claude-agent-acp",
    title: "Claude Code (claude-agent-acp)",
    package: "@agentclientprotocol/claude-agent-acp",
    version: "0.99.1",
    entry: "@agentclientprotocol/claude-agent-acp/dist/index.js",
    node: ">=22",
    api: "anthropic",
    provider: "anthropic",
    settings: async (connection) => [claudeCode.connect(connection), { env: claudeCode.isolate.env ?? {} }],
  },
];

/** What one program did as our agent. */
export interface AcpAgentVerdict {
  title: string;
  version: string;
  /** Tool calls in our log. */
  calls: number;
  /** Questions that it asked. */
  asked: number;
  /** Whether it continued its own session after the gateway was killed. */
  resumed: boolean;
  /** What went wrong; empty if nothing did. */
  problems: string[];
}

const LIMIT = 120_000;
const KEY = "agent:judged:main";
const SECOND = "Is the note written?";

/**
 * Has a program do a task as our agent, with our own gateway as its model, and asks again after the gateway was killed. The
 * model answers the second question without new calls only if it is shown the first task: the program has resumed its session.
 * A program that cannot do that is fine if the log records it.
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
  const { authMethod } = agent;
  const config = {
    providers: {
      [agent.provider]: { baseUrl: provider.baseUrl, apiKey: PROVIDER_KEY, api: agent.api, maxRetries: 0 },
    },
    models: { [model]: {} },
    agents: {
      judged: {
        acp: { command: program, args: [...rest, ...(agent.args ?? []), ...args], env, authMethod },
        workspace: sandbox.project,
      },
    },
  };
  let gateway: ServerProcess | undefined;
  try {
    gateway = await startGateway(sandbox.gateway, config);
    recorder.passOnTo(gateway.url);
    const done = await talk({ url: gateway.url, token }, task.prompt);
    const calls = callsIn(done.messages);
    const wrong = task.problem(textIn(done.messages));
    gateway.process.kill("SIGKILL");
    await once(gateway.process, "close");
    gateway = await startGateway(sandbox.gateway, config);
    recorder.passOnTo(gateway.url);
    const again = await talk({ url: gateway.url, token }, SECOND);
    const resumed = callsIn(again.messages) === calls;
    const prompts = again.messages.filter(({ role }) => role === "user").length;
    const problems = [
      ...done.problems,
      ...again.problems,
      ...(wrong === undefined ? [] : [wrong]),
      ...(prompts === 2 ? [] : [`the log has ${prompts} messages of the user, not 2`]),
      ...(resumed || recordsForgotten(again.messages)
        ? []
        : ["the session was not resumed, and the log does not record it"]),
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

interface Talk {
  /** The whole session. */
  messages: AgentMessage[];
  asked: number;
  problems: string[];
}

/** Sends a message and allows what the agent asks for, until the run has ended. */
async function talk({ url, token }: { url: string; token: string }, text: string): Promise<Talk> {
  const client = await connectDragoman({ url: `${url.replace(/^http/, "ws")}/rpc`, token, WebSocket });
  const problems: string[] = [];
  let asked = 0;
  const late = AbortSignal.timeout(LIMIT);
  try {
    await client.send(KEY, { text });
    for await (const event of client.watch(KEY, { after: 0, asks: true, signal: late })) {
      if (event.type === "permission" && event.state === "asked") {
        asked++;
        const { id } = event.request;
        await client.call("permission.answer", { sessionKey: KEY, id, answer: "once" });
      }
      if (event.type !== "run_end") continue;
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

function recordsForgotten(messages: readonly AgentMessage[]): boolean {
  return messages.some((message) => {
    const note = noteOf(message);
    return (
      note?.type === "dragoman/losses" && note.data.losses.some(({ what }) => what === "earlier messages")
    );
  });
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
