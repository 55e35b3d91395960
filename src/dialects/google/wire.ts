import type { JsonObject } from "../../core/json/value.js";

/** The name of this dialect, under which it keeps its notes in `ext`. */
export const NAME = "google";

/** The value of `AssistantMessage.api`. */
export const API = "google-generative-ai";

/** Image types accepted as bytes. */
export const IMAGE_TYPES: readonly string[] = [
  "image/png",
  "image/jpeg",
  "image/webp",
  "image/heic",
  "image/heif",
];

/** What Gemini's `generateContent` takes and gives, in Google's own words, as far as we write it. */

export type Inline = { mimeType: string; data: string; displayName?: string };

export type FileReference = { fileUri: string; mimeType?: string; displayName?: string };

export type FunctionCall = { id?: string; name: string; args?: JsonObject };

export type FunctionResponse = {
  id?: string;
  name: string;
  response: JsonObject;
  /** Images and files that newer models take inside the response. */
  parts?: MediaPart[];
};

export type MediaPart = { inlineData: Inline } | { fileData: FileReference };

type Data =
  | { text: string; thought?: boolean }
  | MediaPart
  | { functionCall: FunctionCall }
  | { functionResponse: FunctionResponse };

/** A signature can sit on a part of any kind. */
export type Part = Data & { thoughtSignature?: string };

export type Content = { role: "user" | "model"; parts: Part[] };

export type FunctionDeclaration = {
  name: string;
  description?: string;
  /** JSON Schema. */
  parametersJsonSchema?: JsonObject;
  /** The subset of OpenAPI 3.0 that all models take. */
  parameters?: JsonObject;
};

/** Without its options. The model and whether to stream are not in it: they stand in the URL. */
export type GenerateContentRequest = {
  contents: Content[];
  systemInstruction?: { parts: { text: string }[] };
  tools?: { functionDeclarations: FunctionDeclaration[] }[];
};

export type UsageMetadata = {
  /** Cached tokens included. */
  promptTokenCount?: number;
  cachedContentTokenCount?: number;
  /** Thoughts not included. */
  candidatesTokenCount?: number;
  thoughtsTokenCount?: number;
  toolUsePromptTokenCount?: number;
  totalTokenCount?: number;
};

export type Candidate = {
  content?: { role: "model"; parts: Part[] };
  finishReason?: string;
  finishMessage?: string;
  index: number;
};

/** A whole answer, or one piece of a streamed one: the shape is the same. */
export type GenerateContentResponse = {
  candidates?: Candidate[];
  usageMetadata?: UsageMetadata;
  modelVersion?: string;
  responseId?: string;
};

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** A field that may be left out. */
export function isOptional<T>(value: unknown, guard: (value: unknown) => value is T): value is T | undefined {
  return value === undefined || guard(value);
}

/** Objects without anything in them are not kept. */
export function unlessEmpty(value: JsonObject): JsonObject | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}
