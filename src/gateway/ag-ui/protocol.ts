import type { JsonObject } from "../../core/json/value.js";
import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { UserMessage } from "../../core/types.js";
import { ownName } from "../../mcp/own-name.js";
import type { Conversation } from "../../runtime/conversation.js";
import { withClientTools } from "../../runtime/sent-mark.js";
import { usableAgents } from "../auth/permit.js";
import { AnswerStreams } from "../front-ends/answer-streams.js";
import { clientIdOf } from "../front-ends/client-id.js";
import { stopRun } from "../front-ends/located-run.js";
import { placeMessage } from "../front-ends/place-message.js";
import { findThread, openThread } from "../front-ends/thread.js";
import { badRequest, plainRefusal, refuse, scopeNeeded } from "../refusals.js";
import type { Gateway, HttpReply, HttpRequest, Protocol } from "../types.js";
import { contentOf } from "./content.js";
import { runEnvelope } from "./envelope.js";
import { isForResult, SentResults, withoutResults } from "./page-tools.js";
import { type InterruptAnswer, type RunRequest, readRunRequest } from "./request.js";
import { AgUiWriter } from "./writer.js";

/** States which fields of the input had no effect. */
const IGNORED_HEADER = "x-dragoman-ignored";

export interface AgUiOptions {
  /** For tests. */
  silenceMs?: number;
}

/** AG-UI 1.0 and the routes of CopilotKit's runtime, under `/ag-ui`. */
export function agUiProtocol(gateway: Gateway, { silenceMs }: AgUiOptions = {}): Protocol {
  const streams = new AnswerStreams(gateway, {
    makeWriter: () => new AgUiWriter(),
    pausesFor: () => true,
    silenceMs,
  });

  async function info({ caller }: HttpRequest): Promise<HttpReply> {
    const { agents } = gateway.runtime;
    const described = usableAgents(caller, agents.ids).map((id) => {
      const description = agents.descriptionOf(id) ?? "";
      return [id, { name: id, description, className: "HttpAgent" }] as const;
    });
    const { version } = ownName();
    return {
      status: 200,
      json: {
        version,
        agents: Object.fromEntries(described),
        mode: "sse",
        audioFileTranscriptionEnabled: false,
      },
    };
  }

  async function run(request: HttpRequest): Promise<HttpReply> {
    const asked = readRunRequest(await request.json(), gateway.now());
    const conversation = await openThread(gateway, threadName(request, asked.threadId));
    const reply = await answerTo(request, conversation, asked);
    const ignored = [...(offersTools(request, asked) ? [] : ["tools"]), ...asked.ignored];
    return ignored.length === 0
      ? reply
      : { ...reply, headers: { ...reply.headers, [IGNORED_HEADER]: ignored.join(", ") } };
  }

  /** Whether the agent gets all tools of the page: a program runs only its own. */
  function offersTools({ params }: HttpRequest, { tools }: RunRequest): boolean {
    return tools.length === 0 || !gateway.runtime.agents.isProgram(params["agent"] ?? "");
  }

  async function answerTo(
    request: HttpRequest,
    conversation: Conversation,
    asked: RunRequest,
  ): Promise<HttpReply> {
    if (asked.resume.length > 0) return resume(request, conversation, asked);
    const pending = await conversation.permissions.pending();
    const calls = pending.filter((call) => isForResult(call, asked.results));
    if (calls.length > 0) return sendResults(request, conversation, asked, calls);
    if (pending.length > 0) throw refuse("conflict", waitsFor(pending));
    return send(request, conversation, asked);
  }

  async function send(
    request: HttpRequest,
    conversation: Conversation,
    asked: RunRequest,
  ): Promise<HttpReply> {
    const { prompt } = asked;
    if (prompt === undefined) throw badRequest("messages has no user message");
    if (asked.isAnswered) {
      throw refuse("conflict", "the last user message has an answer; connect to the thread to read the rest");
    }
    const tools = offersTools(request, asked) ? asked.tools : [];
    const message = withClientTools(prompt.message, tools);
    const { sent, conversation: placed } = await placeMessage(gateway, conversation, { ...prompt, message });
    return streams.send({ request, conversation: placed, envelope: runEnvelope(asked) }, sent);
  }

  async function resume(
    request: HttpRequest,
    conversation: Conversation,
    asked: RunRequest,
  ): Promise<HttpReply> {
    // Answering permission requests needs the scope that it needs everywhere.
    if (request.caller.scope !== "admin") throw scopeNeeded("admin");
    const { permissions } = conversation;
    const pending = await permissions.pending();
    const open = pending.filter(({ id }) => asked.resume.some((answer) => answer.id === id));
    if (open.length === 0) throw refuse("conflict", "none of these interrupts is open");
    const toolCallIds = new Set(open.map(({ toolCall }) => toolCall.id));
    const requestIds = new Set(open.map(({ id }) => id));
    const answers = asked.resume.filter(({ id }) => requestIds.has(id));
    const stream = { request, conversation, envelope: runEnvelope(asked) };
    const answered = { toolCallIds, has: ({ id }: PermissionRequest) => requestIds.has(id) };
    return streams.resume(stream, answered, () => answerAll(request, conversation, answers));
  }

  /** The page has run its own tools, and the run continues. */
  async function sendResults(
    request: HttpRequest,
    conversation: Conversation,
    asked: RunRequest,
    calls: readonly PermissionRequest[],
  ): Promise<HttpReply> {
    const { results } = asked;
    const toolCallIds = new Set(calls.map(({ toolCall }) => toolCall.id));
    const sent = new SentResults(results);
    const answered = { toolCallIds, has: (call: PermissionRequest) => sent.has(call) };
    const { logger } = gateway;
    const onFailure = (error: unknown) =>
      logger.error({ err: error, id: request.id }, "could not accept the result of a page's tool");
    const stream = { request, conversation, envelope: runEnvelope(asked) };
    const reply = await streams.resume(stream, answered, () =>
      sent.answer(conversation, { by: request.caller.token, onFailure }),
    );
    return reply.stream === undefined
      ? reply
      : { ...reply, stream: withoutResults(reply.stream, results.keys()) };
  }

  async function connect(request: HttpRequest): Promise<HttpReply> {
    const { threadId, protocolVersion } = readRunRequest(await request.json(), gateway.now());
    const conversation = await findThread(gateway, threadName(request, threadId));
    if (conversation === undefined) return { status: 200, headers: EVENT_STREAM, body: "" };
    return streams.connect({ request, conversation }, (prompt) => {
      const runId = prompt.id ?? "";
      return runEnvelope({ threadId, runId, protocolVersion, input: inputOf(prompt, threadId, runId) });
    });
  }

  async function stop(request: HttpRequest): Promise<HttpReply> {
    const { threadId = "" } = request.params;
    const conversation = await findThread(gateway, threadName(request, threadId));
    const stopped = conversation !== undefined && (await stopRun(conversation));
    return { status: 200, json: { stopped } };
  }

  const path = "/ag-ui/agent/:agent";
  return {
    http: {
      under: ["/ag-ui"],
      refuse: plainRefusal,
      routes: [
        { method: "GET", path: "/ag-ui/info", scope: "read", handle: info },
        { method: "POST", path: `${path}/run`, scope: "chat", handle: run },
        { method: "POST", path: `${path}/connect`, scope: "read", handle: connect },
        { method: "POST", path: `${path}/stop/:threadId`, scope: "chat", handle: stop },
      ],
    },
  };
}

const EVENT_STREAM = { "content-type": "text/event-stream; charset=utf-8" };

function threadName({ params, caller }: HttpRequest, id: string) {
  return { agent: params["agent"] ?? "", id, permit: caller };
}

function waitsFor(pending: readonly PermissionRequest[]): string {
  const call = pending.find(({ question }) => question?.asksResult === true);
  return call === undefined
    ? "the agent waits for a permission; answer its interrupts in `resume`"
    : `the agent waits for the result of the page's tool ${call.toolCall.name}; send it as a tool message`;
}

async function answerAll(
  { caller }: HttpRequest,
  { permissions }: Conversation,
  answers: readonly InterruptAnswer[],
): Promise<void> {
  for (const { id, answer, values } of answers) {
    await permissions.answer(id, answer, { values, by: caller.token });
  }
}

/** What began a run, so that a page shows the user's message. */
function inputOf(prompt: UserMessage, threadId: string, runId: string): JsonObject {
  const message = { id: clientIdOf(prompt), role: "user", content: contentOf(prompt) };
  return { threadId, runId, messages: [message], tools: [], context: [], state: {}, forwardedProps: {} };
}
