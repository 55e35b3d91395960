import { isObject, type JsonObject } from "../../../core/json/value.js";
import type { AgentMessage } from "../../../core/types.js";
import { STORE_AGENT } from "../../auth/permit.js";
import type { Caller, Gateway, HttpRequest, RefusedError } from "../../types.js";
import { unservable } from "../failure.js";
import type { AgentCallState, ApiState, CallState, Family, ModelCall } from "../family.js";
import { agentCallState } from "./agent-responses.js";
import { ResponseCall, type Target } from "./call-state.js";
import { conversationMessages } from "./conversation-items.js";
import { conversationId, placeOfResponse, sessionOfConversation } from "./ids.js";
import { messagesOf } from "./items.js";
import { resolveReferences } from "./references.js";
import { noConversation, noPreviousResponse } from "./refusals.js";
import { restoreRepeatedCalls } from "./repeated-calls.js";
import type { ResponseStore } from "./response-store.js";

/** What a request continues. */
interface Continued {
  history: readonly AgentMessage[];
  target: Target;
  /** The other messages of its session, some of which may be answers to the same client. */
  stored?: readonly AgentMessage[];
  /** Set if this gateway does not know it. */
  foreign?: RefusedError;
}

/** `previous_response_id`, `conversation` and `store` of requests to models. */
export class ResponsesState implements ApiState {
  readonly #gateway: Pick<Gateway, "runtime" | "now">;
  readonly #store: ResponseStore;

  constructor(gateway: Pick<Gateway, "runtime" | "now">, store: ResponseStore) {
    this.#gateway = gateway;
    this.#store = store;
  }

  async ofCall(family: Family, { caller }: HttpRequest, { body, model }: ModelCall): Promise<CallState> {
    const { history, target, stored = [], foreign } = await this.#continued(family, body, caller);
    const isStored = this.#isStored(body) && foreign === undefined;
    const { previous_response_id: previous, conversation, ...plain } = body;
    const known = foreign === undefined ? plain : body;
    const named = nameOf(conversation);
    if (named !== undefined && !isStored && foreign === undefined) {
      throw unservable("/store", 'a response in a conversation is stored; leave out "store": false');
    }
    return new ResponseCall({
      store: this.#store,
      family,
      model,
      token: caller.token,
      body: known,
      shown: { ...body, store: isStored, ...(named === undefined ? {} : { conversation: { id: named } }) },
      history,
      input: await this.#inputOf(family, body, stored, caller),
      target: isStored ? target : undefined,
      foreign,
      now: this.#gateway.now,
    });
  }

  ofAgentCall(request: HttpRequest, body: JsonObject, agent: string): Promise<AgentCallState> {
    return agentCallState(this.#gateway, this.#store, request, body, agent);
  }

  /** The messages of the input, if stored answers replace a part of it. */
  async #inputOf(
    { api }: Family,
    { input }: JsonObject,
    stored: readonly AgentMessage[],
    caller: Caller,
  ): Promise<readonly AgentMessage[] | undefined> {
    const resolved = await resolveReferences(this.#store, api, input, caller);
    if (stored.length === 0) return resolved;
    return restoreRepeatedCalls(resolved ?? messagesOf(api, input), stored) ?? resolved;
  }

  /** As in OpenAI's API, a response is stored unless the request or the operator says otherwise. */
  #isStored({ store }: JsonObject): boolean {
    if (typeof store === "boolean") return store;
    if (store !== undefined && store !== null) throw unservable("/store", "expected true or false");
    return this.#gateway.runtime.config.gateway?.storeResponses ?? true;
  }

  async #continued(family: Family, body: JsonObject, caller: Caller): Promise<Continued> {
    const { previous_response_id: previous, conversation } = body;
    const named = nameOf(conversation);
    if (previous !== undefined && previous !== null) {
      if (named !== undefined) {
        throw unservable("/conversation", "a request has a previous_response_id or a conversation, not both");
      }
      return this.#afterResponse(previous, caller);
    }
    return named === undefined ? { history: [], target: {} } : this.#inConversation(family, named, caller);
  }

  async #afterResponse(id: unknown, caller: Caller): Promise<Continued> {
    if (typeof id !== "string") throw unservable("/previous_response_id", "expected the id of a response");
    const foreign = noPreviousResponse(id);
    if (placeOfResponse(id) === undefined) return { history: [], target: {}, foreign };
    const found = await this.#store.response(id, caller);
    if (found === undefined) throw foreign;
    const { session, record } = found;
    const history = session.historyOf(record.answer);
    const isOwnBranch = session.header.agent === STORE_AGENT && session.conversation === undefined;
    const target: Target = isOwnBranch
      ? { session: session.id, parent: record.answer }
      : { copied: history, origin: { session: session.id, message: record.answer } };
    return { history, target, stored: session.messages };
  }

  async #inConversation({ api }: Family, id: string, caller: Caller): Promise<Continued> {
    if (sessionOfConversation(id) === undefined) {
      return { history: [], target: {}, foreign: noConversation(id) };
    }
    const session = await this.#store.conversation(id, caller);
    if (session === undefined) throw noConversation(id);
    return {
      history: conversationMessages(api, session),
      target: { session: session.id, parent: session.messages.at(-1)?.id },
    };
  }
}

/** `"conv_1"` or `{ "id": "conv_1" }` */
function nameOf(conversation: unknown): string | undefined {
  if (conversation === undefined || conversation === null) return undefined;
  const id = isObject(conversation) ? conversation["id"] : conversation;
  if (typeof id === "string") return id;
  throw unservable("/conversation", `expected the id of a conversation, such as "${conversationId("…")}"`);
}
