import { hasExactly, isObject, isString, type JsonObject } from "../../core/json/value.js";

export const NAME = "ai-sdk-ui";

/*
 * The file is one array of UI messages, as `useChat` holds them and applications store them (AI SDK 5 and 6):
 *
 *     { id, role: "system" | "user" | "assistant", metadata?, parts: Part[] }
 *
 * One assistant message is one run with all of its steps, and a tool part is a call together with its result:
 *
 *     step-start · reasoning · text · tool-read (call and result) · step-start · text
 */

/** The states of a tool part in which the call has no result. */
const OPEN: readonly unknown[] = [
  "input-streaming",
  "input-available",
  "approval-requested",
  "approval-responded",
];

/** What a tool part's state implies: no result, an output, or an error. */
export type Outcome = "none" | "output" | "error";

export function outcomeOf(state: unknown): Outcome | undefined {
  if (OPEN.includes(state)) return "none";
  if (state === "output-available") return "output";
  return state === "output-error" || state === "output-denied" ? "error" : undefined;
}

const STATIC = "tool-";
const DYNAMIC = "dynamic-tool";

/** A part for a call. The tool's name is a field, or part of the type if the application declares the tool. */
export interface ToolPart extends JsonObject {
  toolCallId: string;
}

export function isToolPart(part: unknown): part is ToolPart {
  if (!isObject(part) || !isString(part["toolCallId"]) || outcomeOf(part["state"]) === undefined)
    return false;
  const { type, toolName } = part;
  return type === DYNAMIC ? isString(toolName) : isString(type) && type.startsWith(STATIC);
}

/** The tool's name, and whether the part's type states it. */
export function toolOf({ type, toolName }: ToolPart): { name: string; isStatic: boolean } {
  if (type === DYNAMIC) return { name: String(toolName), isStatic: false };
  return { name: String(type).slice(STATIC.length), isStatic: true };
}

/** The fields of a tool part that name the tool. */
export function namedTool(name: string, isStatic: boolean): JsonObject {
  return isStatic ? { type: `${STATIC}${name}` } : { type: DYNAMIC, toolName: name };
}

/** The part that separates the steps of an answer. */
export function isStepStart(part: unknown): boolean {
  return isObject(part) && part["type"] === "step-start" && hasExactly(part, "type");
}

export function isAssistant({ role }: JsonObject): boolean {
  return role === "assistant";
}
