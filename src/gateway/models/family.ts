import type { Api, Context, StreamPayload } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import type { AssistantMessage, LiveAssistantMessageEvent, Loss } from "../../core/types.js";
import type { ApiName } from "../../dialects/registry.js";
import type { Model } from "../../providers/connect.js";
import type { ForwardedBatch } from "../../providers/forward.js";
import type { Conversation } from "../../runtime/conversation.js";
import type { HttpRequest } from "../types.js";

/** What differs between the APIs beside what their dialects know: words for errors, keep-alives, and names of fields. */
export interface Family {
  api: Api;
  /** The provider of names without one, where the operator chose no other. */
  provider: string;
  /** Where a payload of a stream states the model's name. */
  modelAt: string;
  /**
   * Fields that change what an answer is, by pointer, with the value that asks for nothing. Where they cannot be carried
   * over the request is refused; any other field is left out, and named in the losses.
   */
  essential: Readonly<Record<string, unknown>>;
  /** The field of a request that lists its messages, and the roles they can have. */
  list: string;
  roles: readonly string[];
  /** Further fields without which a request is refused. */
  required?: readonly string[];
  /** Whether the client runs a tool of a request; others are run by the provider. */
  isFunction(tool: JsonObject): boolean;
  /** A piece of a stream that says nothing. */
  ping(model: string, now: number): string;
  /** What the ids of answers begin with, where the dialect does not say it. */
  idPrefix?: string;
  /** A whole answer of ours with what the API repeats of the request. */
  echo?(response: JsonObject, body: JsonObject): JsonObject;
  /** A last change to what is written of our events. */
  adapt?(payload: StreamPayload, body: JsonObject): StreamPayload | undefined;
  /** A provider's payload without what the gateway asked for and the client did not; undefined if nothing is left. */
  conceal?(value: JsonObject, body: JsonObject): JsonObject | undefined;
  /** The same for the text of a payload that is only a piece of content. */
  concealText?(data: string, body: JsonObject): string;
  /** The runs of agents that can be cancelled, by the id the client was told: each is aborted, and gives the answer so far. */
  running?: Map<string, { agent: string | undefined; stop(): AssistantMessage }>;
  /** For an API whose requests can refer to earlier ones (default: each request has its whole history). */
  state?: ApiState;
}

/** The state that an API keeps between requests. */
export interface ApiState {
  /** What a request to a model refers to, and whether its answer is stored. */
  ofCall(family: Family, request: HttpRequest, call: ModelCall): Promise<CallState>;
  /** The same for a request to an agent. */
  ofAgentCall(request: HttpRequest, body: JsonObject, agent: string): Promise<AgentCallState>;
}

/** A request to a model that may continue earlier ones. */
export interface CallState {
  /** The request with the values that apply where it has none; answers repeat them. */
  shown: JsonObject;
  /** The request without what the gateway replaces. */
  body: JsonObject;
  /** The request for a provider that speaks the client's API. */
  forwarded(model: Model): Promise<{ body: JsonObject; losses: readonly Loss[] }>;
  /** The context for another provider; throws if the request refers to something that only its own provider could know. */
  translated(context: Context): Context;
  /** The answer, which is on disk before its last event is passed on. */
  keepEvents(events: AsyncIterable<LiveAssistantMessageEvent>): AsyncIterable<LiveAssistantMessageEvent>;
  keepBatches(batches: AsyncIterable<ForwardedBatch>, model: Model): AsyncIterable<ForwardedBatch>;
}

export interface AgentCallState {
  /** The session that the request continues; undefined for a new one. */
  conversation?: Conversation | undefined;
  /** What of the request does not apply to agents. */
  losses: readonly Loss[];
  /** The id of the answer to a message of the session. */
  answerId(conversation: Conversation, prompt: string): string;
  /** Records that the client may ask for the answer to a message. */
  record(conversation: Conversation, prompt: string): Promise<void>;
}

/** One whose API is loaded with the first request, so that nobody who starts the server waits for it. */
export type NamedFamily = Omit<Family, "api"> & { api: ApiName };

/** A request, with what some APIs put into the URL. */
export interface ModelCall {
  body: JsonObject;
  model: string;
  stream: boolean;
}
