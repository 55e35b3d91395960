import type { ToolRun } from "../../../agent/types.js";
import type { IndexOptions } from "../../../runtime/sources/readable-sessions.js";

/** Reports indexing as the progress of a tool call. */
export function indexOptions({ signal, update }: ToolRun): IndexOptions {
  return { signal, onProgress: (text) => update({ content: text }) };
}
