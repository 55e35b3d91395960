import type { Api } from "../../../core/api/provider.js";
import { DragomanError } from "../../../core/error.js";
import { newId } from "../../../core/ids.js";
import { isObject, type JsonObject } from "../../../core/json/value.js";
import { isSynthesised } from "../../../core/message/neutral.js";
import type { AgentMessage, AssistantMessage } from "../../../core/types.js";
import { carryInMessage } from "../carried-thinking.js";
import { answerId } from "./ids.js";

/** The items of a message as the API lists them: each has an id, which contains the place of the message. */
export function listedItems(api: Api, session: string, message: AgentMessage): JsonObject[] {
  const id = answerId({ session, message: message.id ?? "" });
  if (message.role === "assistant") {
    const { output } = api.response({ ...asShown(api, message), id });
    return objectsIn(output).map((item, index) => ({ id: `item_${id}_${index}`, ...item }));
  }
  return inputItems(api, [message]).map((item) => listed(item, id));
}

/** An answer as the client received it: thinking of a model with another API is carried in the client's own form. */
function asShown({ api, signaturePlace }: Api, answer: AssistantMessage): AssistantMessage {
  const isClients = answer.api === api || isSynthesised(answer, "/model");
  return signaturePlace === undefined || isClients ? answer : carryInMessage(answer, signaturePlace);
}

function listed(item: JsonObject, id: string): JsonObject {
  const { role, content } = item;
  if (typeof role !== "string") return { id: `fco_${id}`, status: "completed", ...item };
  const parts = typeof content === "string" ? [{ type: "input_text", text: content }] : content;
  return { id: `msg_${id}`, type: "message", status: "completed", ...item, content: parts };
}

/** Messages as the items of a request, without ids of ours. */
export function inputItems(api: Api, messages: readonly AgentMessage[]): JsonObject[] {
  const call = { model: "", context: { messages }, options: {}, stream: false };
  return asItems(api.request(call, {}, () => undefined)["input"]);
}

/** The `input` of a request as items: a text is one message of the user. */
export function asItems(input: unknown): JsonObject[] {
  return typeof input === "string" ? [{ role: "user", content: input }] : objectsIn(input);
}

function objectsIn(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** The messages that items are; errors point into `at`. */
export function messagesOf(api: Api, input: unknown, at = "/input"): readonly AgentMessage[] {
  try {
    // With instructions, a system message at the beginning stays a message.
    return api.readRequest({ model: "", instructions: "", input: input ?? [] }).context.messages;
  } catch (error) {
    if (!(error instanceof DragomanError) || error.at === undefined) throw error;
    const { code, message, hint } = error;
    throw new DragomanError(code, message, {
      at: error.at.replace("/input", at),
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

/** Messages as lines of a log: each with an id, a time and its parent. */
export function asLines(
  messages: readonly AgentMessage[],
  parent: string | undefined,
  now: number,
): (AgentMessage & { id: string })[] {
  let last = parent;
  return messages.map((message) => {
    const id = newId();
    const line = { ...withTime(message, now), id, parentId: last ?? null };
    last = id;
    return line;
  });
}

function withTime(message: AgentMessage, now: number): AgentMessage {
  if (!isSynthesised(message, "/timestamp")) return message;
  const { synthesised = [], ...others } = message.ext ?? {};
  const left = synthesised.filter((pointer) => pointer !== "/timestamp");
  return {
    ...message,
    timestamp: now,
    ext: { ...others, ...(left.length === 0 ? {} : { synthesised: left }) },
  };
}
