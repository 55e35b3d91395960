import type { Api, StreamPayload } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import type { AssistantMessage } from "../../core/types.js";
import type { ServedApiName } from "../../dialects/registry.js";

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
  /** The request field with the messages, and the roles they can have. */
  list: string;
  roles: readonly string[];
  /** Further fields without which a request is refused. */
  required?: readonly string[];
  /** Whether the client runs a tool of a request; others are run by the provider. */
  isFunction(tool: JsonObject): boolean;
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
  /** The same for the text of a payload that was not parsed. */
  concealText?(data: string, body: JsonObject): string;
  /** Agent runs that can be cancelled, by the client's answer id. `stop` aborts the run and returns the answer so far. */
  running?: Map<string, { agent: string | undefined; stop(): AssistantMessage }>;
}

/** A family whose API is loaded with the first request, to keep the server's start fast. */
export type NamedFamily = Omit<Family, "api"> & { api: ServedApiName };

/** A request body, with the model and the streaming flag, which some APIs have in the URL. */
export interface ModelCall {
  body: JsonObject;
  model: string;
  stream: boolean;
}
