import type { CallOptions } from "../core/api/provider.js";
import type { JsonObject } from "../core/json/value.js";
import type { AssistantMessage, LiveAssistantMessageEvent, Loss } from "../core/types.js";
import type { ApiName } from "../dialects/registry.js";
import type { ContextInput } from "./accept.js";
import type { ModelCard } from "./catalogue.js";
import type { ClientRequest, Embeddings, EmbedOptions, ForwardedEmbedding } from "./embed.js";
import type { ForwardedBatch } from "./forward.js";

export interface StreamOptions extends CallOptions {
  signal?: AbortSignal;
  /** Called before the first event with the parts of the conversation that the request does not contain. */
  onLosses?: (losses: readonly Loss[]) => void;
}

export interface ForwardOptions extends ClientRequest {
  /** Does not parse further pieces of content: the payloads are complete, the events and their message are not. */
  skim?: boolean;
  /** Another endpoint of the API, such as `generate` of Ollama (default: the one for conversations). */
  endpoint?: string;
}

/** A connected model. */
export interface Model {
  readonly provider: string;
  readonly id: string;
  readonly card: ModelCard;
  /** The provider's API; undefined for a connector, which receives our own model. */
  readonly api: ApiName | undefined;
  stream(context: ContextInput, options?: StreamOptions): AsyncGenerator<LiveAssistantMessageEvent>;
  /**
   * Sends a request that is already written in the provider's API, unchanged except for the model's name and streaming.
   * Returns the provider's payloads together with the same answer as events. Throws for a connector, which has no such API.
   */
  forward(body: JsonObject, options?: ForwardOptions): AsyncGenerator<ForwardedBatch>;
  /** The complete answer. A failure after the answer has started is in the message (`stopReason`), not thrown. */
  complete(context: ContextInput, options?: StreamOptions): Promise<AssistantMessage>;
  /** The request that `stream` would send, with its losses. Sends nothing. */
  preview(context: ContextInput, options?: CallOptions): Promise<Preview>;
  /** Vectors for texts. Throws `model/invalid` if the provider has no embeddings. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Embeddings>;
  /** Sends a request for embeddings that is written in the provider's API, unchanged but for the model's name. */
  forwardEmbedding(endpoint: string, body: JsonObject, options?: ClientRequest): Promise<ForwardedEmbedding>;
}

export interface Preview {
  request: JsonObject;
  losses: Loss[];
}
