import type { JsonObject } from "../../core/json/value.js";

/** The MIME types of images that are accepted as bytes. */
export const IMAGE_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** The name of this dialect, under which it keeps its notes in `ext`. */
export const NAME = "openai-chat";

/** The value of `AssistantMessage.api`. */
export const API = "openai-completions";

export type TextPart = { type: "text"; text: string };
export type ImagePart = { type: "image_url"; image_url: { url: string } };
export type AudioPart = { type: "input_audio"; input_audio: { data: string; format: "wav" | "mp3" } };
export type FilePart = { type: "file"; file: { file_data: string; filename?: string } };
export type RefusalPart = { type: "refusal"; refusal: string };
export type ContentPart = TextPart | ImagePart | AudioPart | FilePart;

export type CallPart = {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
  /** Google's compatible endpoint puts its signatures here. */
  extra_content?: { google: { thought_signature: string } };
};

export type ToolPart = {
  type: "function";
  function: { name: string; description?: string; parameters: JsonObject; strict?: boolean };
};

/** A request without its options, messages and tools. */
export type RequestFields = {
  model: string;
  stream?: true;
  stream_options?: { include_usage: true };
  store?: boolean;
};

export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter";

export type UsageFields = {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details: { cached_tokens: number; cache_write_tokens?: number };
  completion_tokens_details?: { reasoning_tokens: number };
};

export type DeltaFields = {
  role?: "assistant";
  content?: string;
  refusal?: string;
  reasoning_content?: string;
  images?: ImagePart[];
  tool_calls?: [
    { index: number; id?: string; type?: "function"; function: { name?: string; arguments?: string } },
  ];
};

export type Chunk = {
  id: string;
  object: "chat.completion.chunk";
  created: number;
  model: string;
  choices: { index: 0; delta: DeltaFields; logprobs: null; finish_reason: FinishReason | null }[];
};

/** The fields in which servers put a model's thinking, in the order in which we look for them. */
export const THINKING_FIELDS = ["reasoning_content", "reasoning", "reasoning_text"] as const;
