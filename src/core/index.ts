export {
  DragomanError,
  type DragomanErrorOptions,
  ERROR_CODES,
  type ErrorCode,
  type Place,
} from "./error.js";
export { idSource, newId } from "./ids.js";
export { isObject, type JsonObject } from "./json/value.js";
export { lossLine, lossSummary } from "./loss-words.js";
export { type Failure, failureIn, isSilent } from "./message/failure.js";
export {
  type FailedModel,
  type FallbackReason,
  fallbacksIn,
  fallbackText,
} from "./message/fallbacks.js";
export { isSynthesised } from "./message/neutral.js";
export { type Border, idsOf, type LossRecord, type Note, noteOf } from "./message/notes.js";
export { pairUp } from "./message/pairs.js";
export { emptyUsage, isPriceUnknown, type Prices, priced, sumUsage, type Tokens } from "./message/usage.js";
export { type Cut, collect, events, liveEvents } from "./stream/events.js";
export { MessageReducer, reduce } from "./stream/reduce.js";
// A star, because only a module re-exported whole can be extended with `declare module "dragoman"`.
export type * from "./types.js";
export type { AnswerApi as Api } from "./types.js";
export { is, type Mismatch, type Model, type ModelName, mismatches, parse } from "./validate.js";
