export type { EmbeddingOptions, EmbeddingResult } from "../core/api/embedding-api.js";
export type {
  CallOptions,
  Context,
  Flags,
  Output,
  OutputSchema,
  Thinking,
  ThinkingLevel,
  ToolSpec,
} from "../core/api/provider.js";
export type { ApiName } from "../dialects/registry.js";
export type { ContextInput } from "./accept.js";
export type { Fallback } from "./ask-in-turn.js";
export { extendCatalogue, type ModelCard, type ModelPrices } from "./catalogue.js";
export { type ConnectOptions, connect, type FallbackOption } from "./connect.js";
export { type Connector, type ConnectorEvent, registerConnector } from "./connectors.js";
export type { ClientRequest, Embeddings, EmbedOptions, ForwardedEmbedding } from "./embed.js";
export type { ForwardedBatch, SourcePayload } from "./forward.js";
export type { CallUsage, EndCall, Meter, MeteredModel } from "./meter.js";
export type { ForwardOptions, Model, Preview, StreamOptions } from "./model.js";
