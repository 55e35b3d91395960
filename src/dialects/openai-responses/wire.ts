import { isObject, type JsonObject } from "../../core/json/value.js";
import { unexpected } from "../../core/records/unexpected.js";

/** The MIME types of images that are accepted as bytes. */
export const IMAGE_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** The name of this dialect, under which it keeps its notes in `ext`. */
export const NAME = "openai-responses";

/** The value of `AssistantMessage.api`. */
export const API = "openai-responses";

// The shapes that we write. Input may have more fields, and is checked field by field. Type aliases are assignable to
// JsonObject; interfaces are not.

type InputText = { type: "input_text"; text: string };
type InputImage = { type: "input_image"; image_url: string; detail: "low" | "high" | "auto" };
export type InputFile =
  | { type: "input_file"; file_data: string; filename?: string }
  | { type: "input_file"; file_url: string; filename?: string };
export type InputPart = InputText | InputImage | InputFile;

type OutputText = { type: "output_text"; text: string; annotations: never[] };
type Refusal = { type: "refusal"; refusal: string };
export type OutputPart = OutputText | Refusal;

export type InputMessage = { role: "user" | "system" | "developer"; content: string | InputPart[] };
/** The short form of an answer, without an id. */
export type ShortAnswer = { role: "assistant"; content: string };
export type OutputMessage = {
  type: "message";
  role: "assistant";
  id: string;
  status: "completed";
  phase?: "commentary" | "final_answer";
  content: OutputPart[];
};
export type FunctionCall = {
  type: "function_call";
  call_id: string;
  name: string;
  arguments: string;
  id?: string;
  status?: "completed";
};
export type FunctionCallOutput = {
  type: "function_call_output";
  call_id: string;
  output: string | InputPart[];
};
type SummaryText = { type: "summary_text"; text: string };
export type Reasoning = { type: "reasoning"; id: string; summary: SummaryText[] };

export type FunctionTool = {
  type: "function";
  name: string;
  description: string;
  parameters: JsonObject;
  strict: boolean;
};

/** A request without its options, items and tools. */
export type RequestHead = {
  model: string;
  instructions?: string;
  store?: false;
  stream?: true;
};

export type ResponseUsage = {
  input_tokens: number;
  input_tokens_details: { cached_tokens: number; cache_write_tokens: number };
  output_tokens: number;
  output_tokens_details: { reasoning_tokens: number };
  total_tokens: number;
};

/** A response without its items. Fields that echo the request have the API's defaults. */
export type ResponseHead = {
  id: string;
  object: "response";
  created_at: number;
  status: "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";
  error: { code: "server_error"; message: string } | null;
  incomplete_details: { reason: "max_output_tokens" } | null;
  instructions: null;
  metadata: Record<string, string>;
  model: string;
  parallel_tool_calls: true;
  temperature: null;
  tool_choice: "auto";
  tools: never[];
  top_p: null;
};

export function objectAt(value: unknown, at: string): JsonObject {
  if (isObject(value)) return value;
  throw unexpected(at, "an object", value);
}

export function arrayAt(value: unknown, at: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw unexpected(at, "an array", value);
}

/** A field that must be a string. */
export function stringIn(object: JsonObject, key: string, at: string): string {
  const value = object[key];
  if (typeof value === "string") return value;
  throw unexpected(value === undefined ? at : `${at}/${key}`, `a string as "${key}"`, value);
}
