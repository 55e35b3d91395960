import { newId } from "../../core/ids.js";
import { isObject, isString } from "../../core/json/value.js";
import { mediaWithData, withName } from "../../core/message/typed-media.js";
import type { UserContent, UserMessage } from "../../core/types.js";
import { MAIN } from "../../runtime/agents.js";
import type { Conversation } from "../../runtime/conversation.js";
import { sentBy } from "../../runtime/sent-mark.js";
import { mayUse } from "../auth/permit.js";
import { requireBudgetFor } from "../budgets.js";
import { badRequest, refuse } from "../refusals.js";
import { agentInName, conversationFor, conversationNamed } from "../session-name.js";
import { shownMessages } from "./display.js";
import { existing, keyIn } from "./keys.js";
import type { Call, Methods } from "./methods.js";
import type { Params } from "./params.js";
import { onceKeyOf } from "./run-names.js";
import { emptyRow, modelDefaults, sessionRow } from "./session-row.js";

const PAGE = 200;
const LARGEST_PAGE = 1000;
/** Parameters of `chat.send` that would change the answer, and have no counterpart here. */
const UNSERVED = [
  "intent",
  "deliver",
  "originatingChannel",
  "originatingTo",
  "originatingAccountId",
  "originatingThreadId",
  "replyToId",
  "toolBindings",
  "systemInputProvenance",
  "systemProvenanceReceipt",
];

/** Parameters without effect. The answer names those that were given. */
const IGNORED = [
  "thinking",
  "fastMode",
  "fastAutoOnSeconds",
  "timeoutMs",
  "expectedPermissionMode",
  "expectedToolOverrides",
  "expectedSessionRoutingContract",
];

export const chatMethods: Methods = {
  "chat.send": {
    scope: "operator.write",
    async handle(params, call) {
      const key = keyIn(params, "sessionKey");
      const idempotencyKey = params.text("idempotencyKey");
      const mode = params.choice("queueMode", ["steer", "followup", "collect", "interrupt"]);
      params.refuse(UNSERVED);
      const content = contentIn(params);
      const { gateway, connection, permit } = call;
      const { runtime } = gateway;
      const conversation = await conversationFor(runtime, key, permit);
      await requireShown(params, conversation);
      await requireBudgetFor(gateway, permit, conversation);
      const typed: UserMessage = { role: "user", content, timestamp: gateway.now() };
      const message = await runtime.expandMentions(conversation.session.header.agent ?? MAIN, typed);
      const given = sentBy(permit.token, { ...message, id: newId() });
      await connection.follow(conversation, false);
      const accepted = await conversation.sendOnce(onceKeyOf(idempotencyKey), given, mode);
      void connection.unfollowWhenIdle(conversation);
      const isRepeated = accepted.message.id !== given.id;
      const repeated = conversation.busy ? "in_flight" : "ok";
      const ignored = IGNORED.filter((name) => params.has(name));
      return {
        runId: idempotencyKey,
        status: isRepeated ? repeated : "started",
        ...(ignored.length === 0 ? {} : { ignored }),
      };
    },
  },

  "chat.history": { scope: "operator.read", handle: readHistory },
  "chat.startup": { scope: "operator.read", handle: readHistory },

  "chat.abort": {
    scope: "operator.write",
    async handle(params, { hub, gateway, permit }) {
      const key = keyIn(params, "sessionKey");
      const wanted = params.optionalText("runId");
      const conversation = await conversationNamed(gateway.runtime, key, permit);
      const runId = hub.feeds.of(conversation)?.runId;
      const isOther = wanted !== undefined && runId !== undefined && wanted !== runId;
      // Between runs there is nothing to abort, and the next run must not be aborted.
      if (conversation.seq === 0 || isOther) return { ok: true, aborted: false, runIds: [] };
      const isElsewhere = conversation.elsewhere?.run !== undefined;
      if (isElsewhere && !(await conversation.elsewhere?.abort()))
        return { ok: true, aborted: false, runIds: [] };
      if (!isElsewhere) conversation.abort();
      return { ok: true, aborted: true, runIds: [runId ?? wanted].filter(isString) };
    },
  },
};

async function readHistory(params: Params, { hub, gateway, permit, connection }: Call): Promise<object> {
  const key = keyIn(params, "sessionKey");
  params.refuse(["messageId"]);
  // Cursors are not issued, so that one is from another server.
  if (params.has("cursor")) return { kind: "reset" };
  const { runtime } = gateway;
  const agent = agentInName(key) ?? MAIN;
  const now = gateway.now();
  const common = { sessionKey: key, pendingInputs: { items: [], total: 0 }, thinkingLevel: "off" };
  if ((await existing(runtime, key)) === undefined) {
    if (!runtime.agents.ids.includes(agent) || !mayUse(permit, agent)) {
      throw refuse("not_found", `there is no agent ${JSON.stringify(agent)}`);
    }
    const none = { messages: [], hasMore: false, totalMessages: 0 };
    return {
      ...common,
      ...none,
      defaults: modelDefaults(runtime, agent),
      sessionInfo: emptyRow(key, agent, now),
    };
  }
  const conversation = await conversationNamed(runtime, key, permit);
  const rendering = await connection.follow(conversation, false);
  void connection.unfollowWhenIdle(conversation);
  const { id, header } = conversation.session;
  const found = await runtime.catalogue.get(id);
  // In one tick with the run in progress: what is not here follows as events.
  const shown = shownMessages(await conversation.messages()).slice(0, rendering.count);
  const limit = params.count("limit", PAGE, LARGEST_PAGE);
  const end = Math.max(shown.length - params.count("offset", 0, Number.MAX_SAFE_INTEGER), 0);
  const start = Math.max(end - limit, 0);
  const { inFlight } = rendering;
  const activity = hub.activityOf(id);
  return {
    ...common,
    sessionId: id,
    messages: shown.slice(start, end).map(({ message }) => message),
    hasMore: start > 0,
    ...(start > 0 ? { nextOffset: shown.length - start } : {}),
    totalMessages: shown.length,
    defaults: modelDefaults(runtime, header.agent ?? MAIN),
    sessionInfo: found === undefined ? emptyRow(key, agent, now, activity) : sessionRow(found, activity, now),
    ...(inFlight === undefined ? {} : { inFlightRun: inFlight }),
  };
}

function contentIn(params: Params): UserMessage["content"] {
  const text = params.optionalText("message") ?? "";
  const given = params.get("attachments");
  if (given !== undefined && given !== null && !Array.isArray(given))
    throw badRequest("attachments must be a list");
  const attachments = Array.isArray(given) ? given.map(attachmentOf) : [];
  if (text.trim() === "" && attachments.length === 0) throw badRequest("message or attachment required");
  if (attachments.length === 0) return text;
  return [...(text === "" ? [] : [{ type: "text" as const, text }]), ...attachments];
}

/** `content` is base64, or a data URL. */
function attachmentOf(given: unknown): UserContent {
  const { mimeType, fileName, content } = isObject(given) ? given : {};
  const data = isString(content) ? (/^data:[^,]*;base64,(.*)$/s.exec(content)?.[1] ?? content) : undefined;
  if (data === undefined || !isString(mimeType)) {
    throw badRequest("an attachment needs a mimeType, and its content as base64");
  }
  return withName(mediaWithData(mimeType, data), fileName);
}

/** Refuses a message for another session or branch than the one that the client shows. */
async function requireShown(params: Params, conversation: Conversation): Promise<void> {
  const sessionId = params.optionalText("sessionId");
  if (sessionId !== undefined && sessionId !== conversation.session.id) throw hasChanged();
  const expected = params.optionalText("expectedLeafEntryId");
  if (expected === undefined) return;
  const leaf = shownMessages(await conversation.messages()).at(-1)?.id;
  if (leaf !== expected) throw hasChanged();
}

function hasChanged(): Error {
  return refuse("conflict", "the conversation has changed; load its history again", {
    details: { reason: "active-leaf-changed" },
  });
}
