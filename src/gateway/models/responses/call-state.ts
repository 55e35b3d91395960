import type { Api, Context } from "../../../core/api/provider.js";
import { newId } from "../../../core/ids.js";
import { isObject, type JsonObject } from "../../../core/json/value.js";
import { isSynthesised } from "../../../core/message/neutral.js";
import type { AgentMessage, AssistantMessage, LiveAssistantMessageEvent, Loss } from "../../../core/types.js";
import type { NewSession } from "../../../log/types.js";
import type { ForwardedBatch } from "../../../providers/forward.js";
import type { Model } from "../../../providers/model.js";
import type { RefusedError } from "../../types.js";
import type { CallState, Family } from "../family.js";
import { placeMessages, requestReader } from "../message-places.js";
import { withFunctions } from "./client-forms.js";
import { answerId, type Place, responseId } from "./ids.js";
import { asItems, asLines, inputItems, messagesOf } from "./items.js";
import { keepBatches, keepEvents, type StoreAnswer } from "./keep-answer.js";
import type { ResponseStore } from "./response-store.js";
import { withToolNames } from "./tool-names.js";

/** Without it, a model cannot be given its own reasoning again. */
const ENCRYPTED_REASONING = "reasoning.encrypted_content";

/** Where a response is stored. */
export interface Target {
  /** The session to append to; undefined for a new one. */
  session?: string;
  /** The message that its input follows. */
  parent?: string | undefined;
  /** The messages that a new session begins with. */
  copied?: readonly AgentMessage[];
  /** Where they come from. */
  origin?: NewSession["parent"];
}

export interface ResponseCallOptions {
  store: ResponseStore;
  family: Pick<Family, "api" | "echo">;
  /** The model's name in the request. */
  model: string;
  /** The token that asks. */
  token: string;
  body: JsonObject;
  shown: JsonObject;
  /** The messages before the request's input. */
  history: readonly AgentMessage[];
  /** The messages of its input, if they are not what the body states. */
  input: readonly AgentMessage[] | undefined;
  /** Where the answer is stored; undefined if it is not. */
  target: Target | undefined;
  /** Why only the model's own provider can serve the request; undefined if others can. */
  foreign: RefusedError | undefined;
  now(): number;
}

/** One request of the Responses API to a model. */
export class ResponseCall implements CallState {
  readonly shown: JsonObject;
  readonly body: JsonObject;
  readonly #options: ResponseCallOptions;
  readonly #api: Api;
  /** The lines to store before the answer. Created first, so that a request that cannot be stored is not sent. */
  readonly #before: readonly (AgentMessage & { id: string })[];
  /** The place of the answer, if it is stored. */
  readonly #place: Place;

  constructor(options: ResponseCallOptions) {
    this.#options = options;
    this.#api = options.family.api;
    this.body = options.body;
    this.shown = options.shown;
    const { target } = options;
    this.#before =
      target === undefined
        ? []
        : asLines([...(target.copied ?? []), ...this.#input()], target.parent, options.now());
    this.#place = { session: target?.session ?? newId(), message: newId() };
  }

  async forwarded(model: Model): Promise<{ body: JsonObject; losses: readonly Loss[] }> {
    const { history, input, target } = this.#options;
    const body = target === undefined ? this.body : withReasoning(this.body, model);
    if (history.length === 0 && input === undefined) return { body, losses: [] };
    const messages = [...history, ...this.#input()];
    if (messages.every((message) => isFit(message, model, this.#api))) {
      const earlier = inputItems(this.#api, input === undefined ? history : messages);
      const own = input === undefined ? asItems(this.body["input"]) : [];
      return { body: { ...body, input: [...earlier, ...own] }, losses: [] };
    }
    const { request, losses } = await model.preview({ messages });
    const read = requestReader(this.#api, model.id);
    const given = { body: this.shown, list: "input", read, sent: messages.length };
    return { body: { ...body, input: request["input"] }, losses: placeMessages(given, losses) };
  }

  translated(context: Context): Context {
    const { history, input, foreign } = this.#options;
    if (foreign !== undefined) throw foreign;
    if (history.length === 0 && input === undefined) return context;
    const { systemPrompt: _, ...rest } = context;
    const { instructions } = this.body;
    const messages = withFunctions(this.#api, [...history, ...this.#input()]);
    return {
      ...rest,
      ...(typeof instructions === "string" ? { systemPrompt: instructions } : {}),
      messages: withToolNames(messages, messages),
    };
  }

  keepEvents(events: AsyncIterable<LiveAssistantMessageEvent>): AsyncIterable<LiveAssistantMessageEvent> {
    const { target, family, model } = this.#options;
    if (target === undefined) return events;
    const responseOf = (answer: AssistantMessage) => {
      const response = family.api.response({ ...answer, model });
      return family.echo?.(response, this.shown) ?? response;
    };
    return keepEvents(events, answerId(this.#place), responseOf, this.#storeIn(target));
  }

  keepBatches(batches: AsyncIterable<ForwardedBatch>, model: Model): AsyncIterable<ForwardedBatch> {
    const { target } = this.#options;
    if (target === undefined) return batches;
    const { previous_response_id = null, conversation = null, store } = this.shown;
    const own = { id: responseId(this.#place), previous_response_id, conversation, store };
    return keepBatches(batches, this.#api, model, own, this.#storeIn(target));
  }

  #storeIn({ session, parent, origin }: Target): StoreAnswer {
    return async (answer, { output: _, ...response }) => {
      const { store, model, token } = this.#options;
      const { message: id } = this.#place;
      const line = { ...answer, id, parentId: this.#before.at(-1)?.id ?? parent ?? null };
      const record = { answer: id, token, response: { ...response, model } };
      const lines = [...this.#before, line, store.note({ type: "dragoman/response", data: record })];
      if (session !== undefined) await store.append(session, lines);
      else {
        const from = origin === undefined ? {} : { parent: origin };
        await store.create({ id: this.#place.session, ...from }, lines);
      }
    };
  }

  #input(): readonly AgentMessage[] {
    const { input, history } = this.#options;
    return withToolNames(input ?? messagesOf(this.#api, this.body["input"]), history);
  }
}

/** Whether the model's API accepts a message of the history as it is: not an answer of another model. */
function isFit(message: AgentMessage, { provider, id }: Model, { api }: Api): boolean {
  if (message.role !== "assistant") {
    return message.role === "user" || message.role === "system" || message.role === "toolResult";
  }
  const isSame = message.provider === provider && message.model === id && message.api === api;
  return isSame || isSynthesised(message, "/model");
}

/** Requests encrypted reasoning from a model that is known to reason. Other models reject the request for it. */
function withReasoning(body: JsonObject, { card }: Model): JsonObject {
  const reasons = isObject(body["reasoning"]) || (card.thinking && card.released !== undefined);
  if (!reasons) return body;
  const include: unknown[] = Array.isArray(body["include"]) ? body["include"] : [];
  return include.includes(ENCRYPTED_REASONING)
    ? body
    : { ...body, include: [...include, ENCRYPTED_REASONING] };
}
