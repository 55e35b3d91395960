import type { Api, StreamPayload } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import type { AssistantMessage } from "../../core/types.js";
import type { ApiName } from "../../dialects/registry.js";

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
  /** Fields that ask for what every translated answer has anyway, by pointer, with the value that asks for it. */
  fulfilled?: Readonly<Record<string, unknown>>;
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
}

/** One whose API is loaded with the first request, so that nobody who starts the server waits for it. */
export type NamedFamily = Omit<Family, "api"> & { api: ApiName };

/** A request, with what some APIs put into the URL. */
export interface ModelCall {
  body: JsonObject;
  model: string;
  stream: boolean;
}
