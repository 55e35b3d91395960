import { isObject, type JsonObject } from "../../../src/core/json/value.js";

/** A tool that the client offers. */
export interface OfferedTool {
  name: string;
  /** The group of functions that it belongs to. */
  namespace?: string;
  /** The JSON schema of its arguments; absent if its input is one text. */
  parameters?: JsonObject;
}

/** What the model knows when it answers. */
export interface Situation {
  /** How many tools it has called so far. */
  calls: number;
  /** The texts of their results, in order. */
  results: readonly string[];
  tools: readonly OfferedTool[];
  /** The JSON schema that the answer must have, if the request has one. */
  output?: JsonObject;
}

/** A call with JSON arguments, or with the one text of a custom tool. */
export interface Call {
  name: string;
  namespace?: string;
  arguments: JsonObject | string;
}

/** One answer of the model. */
export interface Turn {
  /** How many tools it called before; makes ids unique. */
  number: number;
  thinking: string;
  calls: readonly Call[];
  /** The last text; empty in a turn that calls tools. */
  text: string;
  /** Content that only some APIs have, added by those that have it. */
  extra?: "redacted thinking" | "server tool";
}

export type Script = (situation: Situation) => Turn;

/** How many turns of `lookups` call a tool before the last one. */
const LOOKUPS = 5;

/** Calls the tool `lookup` five times, one of them as the custom tool `note` if the client offers it. */
export const lookups: Script = ({ calls: number, tools }) => {
  const thinking = `Step ${number} — with care.`;
  if (number >= LOOKUPS) return { number, thinking, calls: [], text: `Done after ${LOOKUPS} calls.` };
  const hasNote = tools.some(({ name, parameters }) => name === "note" && parameters === undefined);
  const call: Call =
    number === 1 && hasNote
      ? { name: "note", arguments: "step 1\n" }
      : { name: "lookup", arguments: { step: number } };
  const extras: Record<number, Turn["extra"]> = { 1: "redacted thinking", 2: "server tool" };
  const extra = extras[number];
  return { number, thinking, calls: [call], text: "", ...(extra === undefined ? {} : { extra }) };
};

/** The text of a tool result, which is a string or a list of parts with text. */
export function resultText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(resultText).join("\n");
  if (!isObject(value)) return "";
  return typeof value["text"] === "string" ? value["text"] : JSON.stringify(value);
}

export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A function as the client declares it. */
export function offered(name: unknown, parameters: unknown): OfferedTool {
  return { name: String(name), parameters: isObject(parameters) ? parameters : {} };
}
