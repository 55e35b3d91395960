import type { Api, Context, StreamPayload } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import type { AssistantMessage, LiveAssistantMessageEvent, Loss } from "../../core/types.js";
import type { ServedApiName } from "../../dialects/registry.js";
import type { ForwardedBatch } from "../../providers/forward.js";
import type { Model } from "../../providers/model.js";
import type { Conversation } from "../../runtime/conversation.js";
import type { HttpRequest } from "../types.js";

/** Differences between the APIs that their dialects do not cover: field names, keep-alives, and what answers repeat. */
export interface Family {
  api: Api;
  /** The endpoint of the API that the client called (default: the one for conversations). */
  endpoint?: string;
  /** The provider of model names without one (default: the configured one). */
  provider: string;
  /** The pointer to the model's name in a stream payload. */
  modelAt: string;
  /**
   * Fields that change the kind of answer, by pointer, with the value that has no effect. A request with another value is
   * refused if the field cannot be translated; any other such field is left out and reported as a loss.
   */
  essential: Readonly<Record<string, unknown>>;
  /** Fields that request what every translated answer has, by pointer, with the value that requests it. */
  fulfilled?: Readonly<Record<string, unknown>>;
  /** Fields that the gateway serves itself, by pointer: it stores them, and answers repeat them. */
  kept?: readonly string[];
  /** The request field with the messages, and the roles they can have. */
  list: string;
  roles: readonly string[];
  /** Further fields without which a request is refused. */
  required?: readonly string[];
  /** Whether the client runs a tool of a request; others are run by the provider. */
  isFunction(tool: JsonObject): boolean;
  /** Pointers to the lists of a request's tools (default: `/tools`). */
  toolLists?(body: JsonObject): string[];
  /** Pointers within a tool that the client runs to the functions that it defines (default: the tool). */
  definitions?(tool: JsonObject): string[];
  /** What a function calls the schema of its arguments: one of these fields (default: `parameters`). */
  schemaFields?: readonly string[];
  /** A keep-alive for a stream. */
  ping(model: string, now: number): string;
  /** The prefix of answer ids, if the dialect does not add it. */
  idPrefix?: string;
  /** The answer to a request that asks the model for nothing, such as one that only loads it; undefined for any other. */
  idleReply?(call: ModelCall, now: number): JsonObject | undefined;
  /** Adds the request fields that the API repeats to an unstreamed answer. */
  echo?(response: JsonObject, body: JsonObject): JsonObject;
  /** Changes a payload that was written from our events; undefined to leave it out. */
  adapt?(payload: StreamPayload, body: JsonObject): StreamPayload | undefined;
  /** Removes data that only the gateway requested from a provider's payload; undefined if nothing is left. */
  conceal?(value: JsonObject, body: JsonObject): JsonObject | undefined;
  /** Agent runs that can be cancelled, by the client's answer id. `stop` aborts the run and returns the answer so far. */
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

/** A family whose API is loaded with the first request, to keep the server's start fast. */
export type NamedFamily = Omit<Family, "api"> & { api: ServedApiName };

/** A request body, with the model and the streaming flag, which some APIs have in the URL. */
export interface ModelCall {
  body: JsonObject;
  model: string;
  stream: boolean;
}
