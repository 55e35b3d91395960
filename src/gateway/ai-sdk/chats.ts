import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { Conversation } from "../../runtime/conversation.js";
import { AnswerStreams } from "../front-ends/answer-streams.js";
import { isApprovable } from "../front-ends/approvable.js";
import { stopRun } from "../front-ends/located-run.js";
import { placeMessage } from "../front-ends/place-message.js";
import { findThread, openThread, type ThreadName } from "../front-ends/thread.js";
import { badRequest, notFound, scopeNeeded } from "../refusals.js";
import type { Gateway, HttpReply, HttpRequest } from "../types.js";
import { uiMessages } from "./history.js";
import type { AiSdkOptions } from "./protocol.js";
import { placeRegeneration } from "./regenerate.js";
import { type Approval, readChatRequest } from "./request.js";
import { UiChunkWriter, uiEnvelope } from "./writer.js";

/** A page that can answer permission requests states it in this header; AI SDK 5 cannot read them. */
const APPROVALS_HEADER = "x-dragoman-approvals";
/** `stop`: the run ends when the page disconnects, for pages that do not resume. */
const ON_CLOSE_HEADER = "x-dragoman-on-close";

/** What the routes do. */
export function chatHandlers(gateway: Gateway, { silenceMs }: AiSdkOptions) {
  const streamsWith = (approvals: boolean) =>
    new AnswerStreams(gateway, {
      makeWriter: () => new UiChunkWriter({ approvals }),
      pausesFor: (request) => approvals && isApprovable(request),
      headers: { "x-vercel-ai-ui-message-stream": "v1" },
      silenceMs,
    });
  const streams = { plain: streamsWith(false), approving: streamsWith(true) };
  const streamsFor = (request: HttpRequest) => (wantsApprovals(request) ? streams.approving : streams.plain);

  async function chat(request: HttpRequest): Promise<HttpReply> {
    const asked = readChatRequest(await request.json(), gateway.now());
    const conversation = await openThread(gateway, threadName(request, asked.chatId));
    if (asked.kind === "approvals") return approve(request, conversation, asked.approvals);
    const placed = await (asked.kind === "message"
      ? placeMessage(gateway, conversation, asked)
      : placeRegeneration(gateway, conversation, asked));
    stopOnClose(request, placed.conversation);
    const stream = { request, conversation: placed.conversation, envelope: uiEnvelope };
    return streamsFor(request).send(stream, placed.sent);
  }

  async function approve(
    request: HttpRequest,
    conversation: Conversation,
    approvals: readonly Approval[],
  ): Promise<HttpReply> {
    if (!wantsApprovals(request)) {
      throw badRequest(`a page that answers permission requests sends the header ${APPROVALS_HEADER}: true`);
    }
    stopOnClose(request, conversation);
    const stream = { request, conversation, envelope: uiEnvelope };
    const toolCallIds = new Set(approvals.map(({ toolCallId }) => toolCallId));
    const pending = await conversation.permissions.pending();
    const answers = approvals
      .filter(({ id }) => pending.some((request) => request.id === id))
      .map(({ id, isApproved }) => ({ id, answer: isApproved ? "once" : "never" }) as const);
    const requestIds = new Set(answers.map(({ id }) => id));
    const answered = { toolCallIds, has: ({ id }: PermissionRequest) => requestIds.has(id) };
    return streams.approving.resume(stream, answered, async () => {
      for (const { id, answer } of answers) {
        await conversation.permissions.answer(id, answer, { by: request.caller.token });
      }
    });
  }

  async function resume(request: HttpRequest): Promise<HttpReply> {
    const conversation = await findThread(gateway, threadName(request));
    const reply =
      conversation === undefined
        ? undefined
        : await streamsFor(request).join({ request, conversation, envelope: uiEnvelope });
    return reply ?? { status: 204 };
  }

  async function history(request: HttpRequest): Promise<HttpReply> {
    const conversation = await findThread(gateway, threadName(request));
    if (conversation === undefined) return { status: 200, json: [] };
    const requests = wantsApprovals(request) ? await conversation.permissions.pending() : [];
    return { status: 200, json: uiMessages(await conversation.messages(), requests.filter(isApprovable)) };
  }

  async function stop(request: HttpRequest): Promise<HttpReply> {
    const conversation = await findThread(gateway, threadName(request));
    if (conversation === undefined) throw notFound("there is no such chat");
    return { status: 200, json: { stopped: await stopRun(conversation) } };
  }

  return { chat, history, resume, stop };
}

function threadName({ params, caller }: HttpRequest, id = params["id"] ?? ""): ThreadName {
  return { agent: params["agent"] ?? "", id, permit: caller };
}

/** Answering permission requests needs the scope that it needs everywhere. */
function wantsApprovals({ headers, caller, method }: HttpRequest): boolean {
  if (headers[APPROVALS_HEADER] !== "true") return false;
  if (caller.scope !== "admin" && method !== "GET") throw scopeNeeded("admin");
  return true;
}

function stopOnClose({ headers, client }: HttpRequest, conversation: Conversation): void {
  if (headers[ON_CLOSE_HEADER] !== "stop") return;
  client.onLeave(() => conversation.abort());
}
