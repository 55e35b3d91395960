export type { Dialect, Problem, Severity } from "../core/dialect.js";
export type { DialectName } from "../dialects/registry.js";
export { check, checkStream, type Provider, providers } from "./check.js";
export {
  type Converted,
  type ConvertOptions,
  convert,
  convertStream,
  type StreamOptions,
} from "./convert.js";
export { type Detection, detect, detectOne, load as loadDialect } from "./detect.js";
export { type DialectInfo, dialects } from "./dialects.js";
export { type LossGroup, type LossKind, LossSummary } from "./loss-summary.js";
export {
  type ReadMessage,
  type ReadMessagesOptions,
  readMessages,
  sourceOf,
  type UnreadText,
} from "./read-messages.js";
export { readableHtml, readableStyle } from "./readable-html.js";
export { type Change, repair } from "./repair.js";
export { byLosses, type CompareOptions, compareTarget, compareTargets, type Target } from "./targets.js";
