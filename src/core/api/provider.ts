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

/** What a model is asked: a prompt, the conversation so far, the tools it may call. */
export interface Context {
  systemPrompt?: string;
  messages: readonly AgentMessage[];
  tools?: readonly ToolSpec[];
}

export interface ToolSpec {
  name: string;
  description: string;
  /** A JSON Schema of the arguments. */
  parameters: JsonObject;
  /** What only one API can say of it, under that API's name. */
  ext?: Ext;
}

export type Thinking = "off" | "minimal" | "low" | "medium" | "high" | { budgetTokens: number };

export interface CallOptions {
  maxTokens?: number;
  temperature?: number;
  thinking?: Thinking;
  toolChoice?: "auto" | "none" | "any" | { name: string };
  /** Whether to ask for the prompt to be cached, where an API wants to be asked. True unless said otherwise. */
  cache?: boolean;
  /** Fields of the provider's own request that we have no name for, written as they are. */
  extra?: JsonObject;
  /** How the provider's own request put what we put otherwise: a note of `readRequest` to `request`. */
  form?: JsonObject;
}

/** One call, in our names. */
export interface Call {
  model: string;
  context: Context;
  options: CallOptions;
  stream: boolean;
  /** What is known of the model, in tokens: how much fits into it, and how long its answers can be. */
  limits?: { contextWindow?: number | undefined; maxOutput?: number | undefined };
}

/** What makes an assistant message ours to attribute: who answered, when, and what it cost. */
export interface Origin {
  provider: string;
  /** Empty when nobody knows whom the answer was asked of: then the answer's own word is taken. */
  model: string;
  /** Unix milliseconds; 0 when nobody knows: then the answer's own word is taken, if it has one. */
  timestamp: number;
  /** Tokens with their cost. */
  price(tokens: Tokens): Usage;
  /** False when nobody knows what the model costs: the cost is then zero, and marked as made up. */
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
  /** Whether `tools: []` is sent with a history of calls: some proxies want it, some servers refuse it. */
  emptyTools?: boolean;
  /** The field in which thinking is sent back. */
  thinkingField?: "reasoning_content" | "reasoning" | "reasoning_text";
  /** Anthropic: whether a model is told how hard to think instead of how long; told by its name unless given. */
  adaptiveThinking?: boolean;
  /** Gemini: whether `parametersJsonSchema` is accepted, and whether function calls have ids. */
  jsonSchema?: boolean;
  callIds?: boolean;
}

/** Where requests are posted, and how they are signed. */
export interface Address {
  /** Behind the base URL. */
  path(model: string): string;
  /** The headers that show a key (default: a bearer token). */
  keyHeaders?(key: string): Record<string, string>;
  /** Those of every request. */
  headers?: Readonly<Record<string, string>>;
}

/** One provider's API: requests, responses and streams, read and written. Pure. */
export interface Api {
  /** The name of its dialect: `anthropic`. */
  readonly dialect: string;
  /** What `AssistantMessage.api` says: `anthropic-messages`. */
  readonly api: string;
  readonly rules: ApiRules;
  readonly address: Address;
  readonly framing: "sse" | "ndjson";
  /** Whether calls and results are sent with their ids; they are when absent. */
  sendsIds?(flags: Flags): boolean;
  /** The request body. The context fits `rules` already; what the API still cannot say is reported. */
  request(call: Call, flags: Flags, onLoss: (loss: Loss) => void): JsonObject;
  /** The call that a request body makes; `model/invalid` with a place for what is none. */
  readRequest(body: unknown): Call;
  readResponse(body: unknown, origin: Origin): AssistantMessage;
  response(message: AssistantMessage): JsonObject;
  streamReader(origin: Origin): StreamReader;
  streamWriter(): StreamWriter;
}

/** A provider's stream to our events. */
export interface StreamReader {
  /** The events that one payload (the JSON of one server-sent event, or one line) brings. */
  push(payload: unknown): LiveAssistantMessageEvent[];
  /** Whether the terminal event was handed out. */
  readonly ended: boolean;
  /** The source has ended. A stream that lacks its own end mark gives an `error` event. */
  finish(): LiveAssistantMessageEvent[];
  /** The source failed, or was aborted: the terminal event, with what had arrived. */
  fail(message: string, reason: "error" | "aborted"): LiveAssistantMessageEvent[];
}

/** Our events to a provider's stream. */
export interface StreamWriter {
  push(event: AssistantMessageEvent): StreamPayload[];
}

export interface StreamPayload {
  /** The name of the server-sent event, where the provider names them. */
  event?: string;
  /** JSON, or a mark that is none (`[DONE]`). */
  data: JsonObject | string;
}
