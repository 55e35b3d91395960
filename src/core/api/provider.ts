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
  /** Whether the provider must enforce the schema, where it can. */
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
  /** Texts that end the answer before they would be written. */
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
  /** Chat Completions: whether the server accepts `top_k`, which OpenAI rejects. */
  topK?: boolean;
  /** Whether `tools: []` is sent if the history has calls: some proxies require it, some servers refuse it. */
  emptyTools?: boolean;
  /** Where thinking is sent back: a field of the message, or a part of its content. */
  thinkingField?: "reasoning_content" | "reasoning" | "reasoning_text" | "content";
  /** Whether an answer may begin with its thinking in `<think>` tags (default: then they are text). */
  thinkTags?: boolean;
  /** Call ids have exactly this many letters and digits; others are replaced. */
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
  /** Where the list of models is, appended to the base URL; absent if we do not read it. */
  list?: string;
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

/** A request as it is posted. */
export interface HttpRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * Adds to a request what proves who sends it, where no fixed header can: an access token that expires, or a signature
 * of the request. Called before every attempt, so that tokens and dates are current. Everything else stays unchanged.
 */
export type Sign = (request: HttpRequest, signal: AbortSignal) => Promise<HttpRequest>;

/** Tools that the client runs, in a form that only its API has. For models with another API they are functions. */
export interface ClientTools {
  /** A request body with these tools, and their earlier calls and results, as those of functions. */
  asFunctions(body: JsonObject): JsonObject;
  /** How calls of these tools are written in an answer; undefined if they have the form of any call. */
  ownCalls?(body: JsonObject): OwnCalls | undefined;
}

export interface OwnCalls {
  /** Whether calls of a function of this name have a form of their own. */
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
  /** How a stream's payloads are cut out of its bytes; `event-stream` is AWS's binary one. */
  readonly framing: "sse" | "ndjson" | "event-stream";
  /** Which field of a request each option is. */
  readonly options: OptionTable;
  /** Tools of clients that are not plain functions (default: none). */
  readonly clientTools?: ClientTools;
  /** Where answers are signed (default: nowhere). */
  readonly signaturePlace?: SignaturePlace;
  /** Why the model refuses to think about this history; it is then asked without thinking (default: it never does). */
  refusesThinking?(call: Call, flags: Flags): string | undefined;
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
  streamReader(origin: Origin, flags?: Flags): StreamReader;
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
