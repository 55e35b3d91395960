export {
  type Change,
  type Converted,
  type ConvertOptions,
  check,
  convert,
  type Detection,
  type DialectInfo,
  type DialectName,
  detect,
  dialects,
  type Problem,
  repair,
} from "./convert/index.js";
export * from "./core/index.js";
export type { ConversationMessage } from "./dialects/clawtools/index.js";
