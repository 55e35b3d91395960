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
export { extendCatalogue, type ModelCard, type ModelPrices } from "./catalogue.js";
export {
  type ConnectOptions,
  connect,
  type ForwardOptions,
  type Model,
  type Preview,
  type StreamOptions,
} from "./connect.js";
export { type Connector, type ConnectorEvent, registerConnector } from "./connectors.js";
export type { ForwardedBatch, SourcePayload } from "./forward.js";
export type { CallUsage, EndCall, Meter, MeteredModel } from "./meter.js";
