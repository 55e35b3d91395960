import type { JsonObject } from "../json/value.js";
import type { Tokens } from "../message/usage.js";
import type {
  AgentMessage,
  AssistantMessage,
  AssistantMessageEvent,
  Ext,
  LiveAssistantMessageEvent,
  Loss,
  Usage,
} from "../types.js";
import type { ApiRules } from "./api-rules.js";

/** A model's input: a prompt, the conversation so far, the tools it may call. */
export interface Context {
  systemPrompt?: string;
  messages: readonly AgentMessage[];
  tools?: readonly ToolSpec[];
}

export interface ToolSpec {
  name: string;
  description: string;
  /** The JSON Schema of the arguments. */
  parameters: JsonObject;
  /** Fields that only one API has, under that API's name. */
  ext?: Ext;
}

export type Thinking = "off" | "minimal" | "low" | "medium" | "high" | { budgetTokens: number };

export interface CallOptions {
  maxTokens?: number;
  temperature?: number;
  thinking?: Thinking;
  toolChoice?: "auto" | "none" | "any" | { name: string };
  /** Whether to request prompt caching, for APIs where it must be requested (default: true). */
  cache?: boolean;
  /** Fields of the provider's request that the model does not have, written unchanged. */
  extra?: JsonObject;
  /** Where the provider's request used another form than ours: a note from `readRequest` to `request`. */
  form?: JsonObject;
}

/** One call, in our names. */
export interface Call {
  model: string;
  context: Context;
  options: CallOptions;
  stream: boolean;
  /** The model's known limits in tokens. */
  limits?: { contextWindow?: number | undefined; maxOutput?: number | undefined };
}

/** What an answer is attributed to: the provider, the model, the time and the price. */
export interface Origin {
  provider: string;
  /** Empty if the requested model is unknown: then the one named in the answer is used. */
  model: string;
  /** Unix milliseconds; 0 if unknown: then the answer's own time is used, if it has one. */
  timestamp: number;
  /** Tokens with their cost. */
  price(tokens: Tokens): Usage;
  /** False if the model's prices are unknown: the cost is then zero, and marked as synthesised. */
  priceKnown: boolean;
}

/** Differences between servers that speak one API; documented properties, never the name of a server. */
export interface Flags {
  /** The field that limits the answer (`max_tokens` on older compatible servers). */
  maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** The role of the system prompt. */
  systemRole?: "system" | "developer";
  store?: boolean;
  strict?: boolean;
  streamOptions?: boolean;
  /** Whether `tools: []` is sent if the history has calls: some proxies require it, some servers refuse it. */
  emptyTools?: boolean;
  /** The field in which thinking is sent back. */
  thinkingField?: "reasoning_content" | "reasoning" | "reasoning_text";
  /** Anthropic: whether the model accepts an effort instead of a token budget (default: by its name). */
  adaptiveThinking?: boolean;
  /** Gemini: whether `parametersJsonSchema` is accepted, and whether function calls have ids. */
  jsonSchema?: boolean;
  callIds?: boolean;
}

/** Where requests are posted, and how they are authenticated. */
export interface Address {
  /** Appended to the base URL. */
  path(model: string): string;
  /** The headers for the API key (default: a bearer token). */
  keyHeaders?(key: string): Record<string, string>;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
  /**
   * Headers of a client's request that belong to the request, not to the client: they go along when the request is
   * forwarded. A `list` is joined with what the operator has configured; of `one` the operator's value wins.
   */
  clientHeaders?: Readonly<Record<string, "list" | "one">>;
}

/** One provider's API: requests, responses and streams, read and written. Pure. */
export interface Api {
  /** The name of its dialect: `anthropic`. */
  readonly dialect: string;
  /** The value of `AssistantMessage.api`: `anthropic-messages`. */
  readonly api: string;
  readonly rules: ApiRules;
  readonly address: Address;
  readonly framing: "sse" | "ndjson";
  /** Whether calls and results are sent with their ids (default: yes). */
  sendsIds?(flags: Flags): boolean;
  /** A client's request as it is forwarded to a model: unchanged but for the model, with a streamed answer and its usage. */
  forwardable(body: JsonObject, model: string, flags: Flags): JsonObject;
  /** The request body. The context already fits `rules`; what the API still cannot represent is reported. */
  request(call: Call, flags: Flags, onLoss: (loss: Loss) => void): JsonObject;
  /** The call in a request body; throws `model/invalid` with a place if it is not a request. */
  readRequest(body: unknown): Call;
  readResponse(body: unknown, origin: Origin): AssistantMessage;
  response(message: AssistantMessage): JsonObject;
  streamReader(origin: Origin): StreamReader;
  /** Whether a payload of a stream is a piece of content and nothing else, from its text alone (default: no). */
  isDelta?(payload: { event?: string; data: string }): boolean;
  streamWriter(): StreamWriter;
  assembler(): Assembler;
}

/** Reads a provider's stream as our events. */
export interface StreamReader {
  /** The events of one payload (the JSON of one server-sent event, or one line). */
  push(payload: unknown): LiveAssistantMessageEvent[];
  /** Whether the terminal event was returned. */
  readonly ended: boolean;
  /** The source has ended. A stream without its end mark gives an `error` event. */
  finish(): LiveAssistantMessageEvent[];
  /** The source failed or was aborted: the terminal event, with the answer so far. */
  fail(message: string, reason: "error" | "aborted"): LiveAssistantMessageEvent[];
}

/** Joins the payloads of a provider's stream into the response that the provider sends when it is asked for no stream. */
export interface Assembler {
  push(payload: unknown): void;
  response(): JsonObject;
}

/** Writes our events as a provider's stream. */
export interface StreamWriter {
  push(event: AssistantMessageEvent): StreamPayload[];
}

export interface StreamPayload {
  /** The name of the server-sent event, where the provider names them. */
  event?: string;
  /** JSON, or a mark that is not JSON (`[DONE]`). */
  data: JsonObject | string;
}
