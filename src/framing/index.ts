export { IncrementalJson } from "../core/json/incremental.js";
export { parseJson } from "../core/json/parse.js";
export {
  EventStreamReader,
  formatStreamMessage,
  MAX_STREAM_MESSAGE_BYTES,
  type StreamMessage,
} from "./event-stream.js";
export type { StreamHeader, StreamHeaders } from "./event-stream-headers.js";
export { decodeLine, type Line, type LineOptions, LineSplitter, MAX_LINE_BYTES, readLines } from "./lines.js";
export { formatLine, NdjsonReader, type NdjsonRecord, readNdjson } from "./ndjson.js";
export { MAX_EVENT_LENGTH, readSse, type SseEvent, type SseOptions, SseReader } from "./sse.js";
export { formatComment, formatSse } from "./sse-format.js";
