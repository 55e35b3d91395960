import type { JsonObject } from "../../core/json/value.js";

/** The MIME types of images that are accepted as bytes. */
export const IMAGE_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/webp"];

export const NAME = "ollama";
export const API = "ollama-chat";

/** The body of `POST /api/chat`, without its options. */
export type WireRequest = {
  model: string;
  messages: JsonObject[];
  tools?: JsonObject[];
  options?: { num_ctx?: number };
  stream: boolean;
};

/** A message of a request, and the message of an answer. */
export type WireMessage = {
  role: string;
  content: string;
  thinking?: string;
  /** Base64. */
  images?: string[];
  tool_calls?: JsonObject[];
  tool_name?: string;
  /** Older servers ignore it, like the `id` of a call. */
  tool_call_id?: string;
};

export type WireCall = {
  id?: string;
  function: { name: string; arguments: JsonObject };
};

export type WireTool = {
  type: "function";
  function: { name: string; description: string; parameters: JsonObject };
};

/** An unstreamed answer, or one line of a streamed one. */
export type WireAnswer = {
  model: string;
  /** RFC 3339. */
  created_at: string;
  message: WireMessage;
  done: boolean;
  done_reason?: string;
  /** Tokens of the prompt, and of the answer. */
  prompt_eval_count?: number;
  eval_count?: number;
};

/** Sent mid-stream, or instead of an answer. */
export type WireError = { error: string };
