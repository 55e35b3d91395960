import type { JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";

export const NAME = "cursor";

/**
 * A transcript of Cursor's agent: a line for each prompt and answer, without times, ids, usage or tool results.
 *
 *     {"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nList files\n</user_query>"}]}}
 *     {"role":"assistant","message":{"content":[{"type":"tool_use","name":"Shell","input":{"command":"ls"}}]}}
 *     {"type":"turn_ended","status":"success"}
 */
export function isMessage({ role, message }: JsonRecord): boolean {
  return (role === "user" || role === "assistant") && isObject(message);
}

/** Every line is a unit. */
export function joins(): boolean {
  return false;
}
