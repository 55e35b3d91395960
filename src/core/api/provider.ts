import type { JsonObject } from "../json/value.js";
import type { Tokens } from "../message/usage.js";
import type {
  AgentMessage,
  AssistantMessage,
  AssistantMessageEvent,
  Ext,
  LiveAssistantMessageEvent,
  Loss,
  OpaqueContent,
  ThinkingContent,
  ToolCall,
  Usage,
} from "../types.js";
import type { ApiRules } from "./api-rules.js";
import type { OptionTable } from "./option-table.js";

/** A model's input: a prompt, the conversation so far, and the tools it may call. */
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
  /** Whether the provider must enforce the schema, if it can. */
  strict?: boolean;
  /** Fields that only one API has, under that API's name. */
  ext?: Ext;
}

export type ThinkingLevel = "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

export type Thinking = "off" | ThinkingLevel | { budgetTokens: number };

/** Structured output: any JSON, or JSON that fits a schema. */
export type Output = "json" | OutputSchema;

export interface OutputSchema {
  /** The JSON Schema of the answer. */
  schema: JsonObject;
  name?: string;
  description?: string;
  /** Whether OpenAI must enforce the schema (default: if the schema follows its rules); other APIs always do. */
  strict?: boolean;
}

/** Settings of a call. An API that lacks one leaves it out and reports a loss at `/options/NAME`. */
export interface CallOptions {
  maxTokens?: number;
  temperature?: number;
  topP?: number;
  topK?: number;
  seed?: number;
  /** Texts that end the answer; they are not part of it. */
  stop?: readonly string[];
  presencePenalty?: number;
  frequencyPenalty?: number;
  thinking?: Thinking;
  toolChoice?: "auto" | "none" | "any" | { name: string };
  /** Whether the model may call several tools in one answer. */
  parallelToolCalls?: boolean;
  output?: Output;
  /** The provider's tier: `auto`, `default`, `flex` or `priority`. */
  serviceTier?: string;
  /** A stable id of the end user, for abuse detection. */
  user?: string;
  /** Whether to request prompt caching, for APIs where it must be requested (default: true). */
  cache?: boolean;
  /** Fields of the provider's request that our model does not have, written unchanged. */
  extra?: JsonObject;
  /** How the provider's request differed from the form that we write: a note from `readRequest` to `request`. */
  form?: JsonObject;
}

/** One call of a model, in our names. */
export interface Call {
  model: string;
  context: Context;
  options: CallOptions;
  stream: boolean;
  /** The model's known limits in tokens. */
  limits?: { contextWindow?: number | undefined; maxOutput?: number | undefined };
}

/** Where an answer comes from: provider, model, time and price. */
export interface Origin {
  provider: string;
  /** Empty if the requested model is unknown; the one named in the answer is then used. */
  model: string;
  /** Unix milliseconds; 0 if unknown; the answer's own time is then used, if it has one. */
  timestamp: number;
  /** Adds the cost to token counts. */
  price(tokens: Tokens): Usage;
  /** False if the model's prices are unknown: the cost is then zero, and marked as synthesised. */
  priceKnown: boolean;
}

/** Differences between servers with the same API, as documented properties rather than server names. */
export interface Flags {
  /** The field that limits the answer (`max_tokens` on older compatible servers). */
  maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** The role of the system prompt. */
  systemRole?: "system" | "developer";
  store?: boolean;
  strict?: boolean;
  streamOptions?: boolean;
  /** Chat Completions: whether the server accepts `top_k`, which OpenAI rejects. */
  topK?: boolean;
  /** Whether `tools: []` is sent if the history has calls: some proxies require it, some servers refuse it. */
  emptyTools?: boolean;
  /** Where thinking is sent back: a field of the message, or a part of its content. */
  thinkingField?: "reasoning_content" | "reasoning" | "reasoning_text" | "content";
  /** Whether `<think>` tags at the start of an answer are read as thinking (default: as text). */
  thinkTags?: boolean;
  /** The exact number of letters and digits in a call id; other ids are replaced. */
  callIdLength?: number;
  /** Anthropic: whether the model accepts an effort instead of a token budget (default: by its name). */
  adaptiveThinking?: boolean;
  /** Anthropic: whether the model accepts system messages within the conversation, a beta feature (default: false). */
  systemMessages?: boolean;
  /** Gemini: whether `parametersJsonSchema` is accepted, and whether function calls have ids. */
  jsonSchema?: boolean;
  callIds?: boolean;
}

/** Where requests are posted, and how they are authenticated. */
export interface Address {
  /** Appended to the base URL. */
  path(model: string): string;
  /** The path of the model list, appended to the base URL; absent if we do not read it. */
  list?: string;
  /** The headers for the API key (default: a bearer token). */
  keyHeaders?(key: string): Record<string, string>;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
  /**
   * Client headers that are part of the request, and are forwarded with it. The values of a `list` are joined with the
   * configured ones; a configured value replaces `one`.
   */
  clientHeaders?: Readonly<Record<string, "list" | "one">>;
}

/** A request as it is posted. */
export interface HttpRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * Authenticates a request where a fixed header cannot: with an access token that expires, or a signature of the request.
 * Called before every attempt, so that tokens and dates are current. Changes nothing else.
 */
export type Sign = (request: HttpRequest, signal: AbortSignal) => Promise<HttpRequest>;

/** Tools that the client runs, in a form that only its API has. Models with another API see them as functions. */
export interface ClientTools {
  /** A request body in which these tools, their earlier calls and their results have the form of functions. */
  asFunctions(body: JsonObject): JsonObject;
  /** How calls of these tools are written in an answer; undefined if they are written as function calls. */
  ownCalls?(body: JsonObject): OwnCalls | undefined;
}

export interface OwnCalls {
  /** Whether calls of this function have their own form. */
  has(name: string): boolean;
  write(call: ToolCall): OpaqueContent | undefined;
}

/**
 * The block of an answer with a signature that clients send back without reading it. The gateway writes its own text
 * there if the model has another API, so that the model gets its thinking back.
 */
export type SignaturePlace = (
  | {
      block: "thinking";
      write(block: ThinkingContent, signature: string): ThinkingContent;
      read(block: ThinkingContent): string | undefined;
    }
  /** Clients may leave out the thinking itself. Where there is no signature, they write the placeholder. */
  | { block: "toolCall"; placeholder: string }
) & {
  /** The field of a request that lists its messages, the one of a message that lists its blocks, if any. */
  list: string;
  blocks?: string;
  /** A block of a request without a signature that is ours: the provider would refuse it. Undefined if it is not signed by us. */
  replace(block: JsonObject, isOurs: (signature: unknown) => boolean): JsonObject[] | undefined;
};

/** One provider's API: requests, responses and streams, read and written. Pure. */
export interface Api {
  /** The name of its dialect: `anthropic`. */
  readonly dialect: string;
  /** The value of `AssistantMessage.api`: `anthropic-messages`. */
  readonly api: string;
  readonly rules: ApiRules;
  readonly address: Address;
  /** The error format, if several APIs share it. */
  readonly errorFormat?: "openai";
  /** How a stream's bytes are split into payloads; `event-stream` is AWS's binary format. */
  readonly framing: "sse" | "ndjson" | "event-stream";
  /** The request field of each option. */
  readonly options: OptionTable;
  /** Other endpoints for the same answers, by name, such as `generate` of Ollama (default: none). */
  readonly endpoints?: Readonly<Record<string, Api>>;
  /** Client-run tools that are not plain functions (default: none). */
  readonly clientTools?: ClientTools;
  /** Where answers are signed (default: nowhere). */
  readonly signaturePlace?: SignaturePlace;
  /** Why the model refuses to think about this history; it is then asked without thinking (default: it never does). */
  refusesThinking?(call: Call, flags: Flags): string | undefined;
  /** Whether calls and results are sent with their ids (default: yes). */
  sendsIds?(flags: Flags): boolean;
  /** A client's request as it is forwarded: unchanged except for the model, and asking for a stream that includes usage. */
  forwardable(body: JsonObject, model: string, flags: Flags): JsonObject;
  /** The request body. The context already fits `rules`; data that the API still cannot represent is reported. */
  request(call: Call, flags: Flags, onLoss: (loss: Loss) => void): JsonObject;
  /** The call in a request body; throws `model/invalid` with a place if it is not a request. */
  readRequest(body: unknown): Call;
  readResponse(body: unknown, origin: Origin): AssistantMessage;
  response(message: AssistantMessage): JsonObject;
  /** Whether a body reports an error (default: it has a field `error`). */
  isError?(body: JsonObject): boolean;
  streamReader(origin: Origin, flags?: Flags): StreamReader;
  /**
   * The fields that differ between the pieces of one text, call or thinking: the piece itself, counters and padding (default:
   * none are known). A payload that repeats another except for these is only a further piece.
   */
  readonly deltaFields?: readonly string[];
  streamWriter(): StreamWriter;
  assembler(): Assembler;
}

/** Reads a provider's stream as our events. */
export interface StreamReader {
  /** The events of one payload (the JSON of one server-sent event, or one line). */
  push(payload: unknown): LiveAssistantMessageEvent[];
  /** Whether the terminal event has been returned. */
  readonly ended: boolean;
  /** Reports the end of the source. A stream without its end mark produces an `error` event. */
  finish(): LiveAssistantMessageEvent[];
  /** Reports that the source failed or was aborted. Returns the terminal event, with the answer so far. */
  fail(message: string, reason: "error" | "aborted"): LiveAssistantMessageEvent[];
}

/** Joins the payloads of a provider's stream into the response that the provider would send without streaming. */
export interface Assembler {
  push(payload: unknown): void;
  response(): JsonObject;
}

/** Writes our events as a provider's stream. */
export interface StreamWriter {
  push(event: AssistantMessageEvent): StreamPayload[];
}

export interface StreamPayload {
  /** The name of the server-sent event, if the provider names its events. */
  event?: string;
  /** JSON, or a mark that is not JSON (`[DONE]`). */
  data: JsonObject | string;
}
