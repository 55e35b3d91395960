import type { JsonObject } from "../../core/json/value.js";

/** The name of this dialect, under which it keeps its notes in `ext`. */
export const NAME = "google";

/** The value of `AssistantMessage.api`. */
export const API = "google-generative-ai";

/** The MIME types of images that are accepted as bytes. */
export const IMAGE_TYPES: readonly string[] = [
  "image/png",
  "image/jpeg",
  "image/webp",
  "image/heic",
  "image/heif",
];

// The shapes that we write. Input may have more fields, and is checked field by field.

export type Inline = { mimeType: string; data: string; displayName?: string };

export type FileReference = { fileUri: string; mimeType?: string; displayName?: string };

export type FunctionCall = { id?: string; name: string; args?: JsonObject };

export type FunctionResponse = {
  id?: string;
  name: string;
  response: JsonObject;
  /** Images and files, which newer models accept inside the response. */
  parts?: MediaPart[];
};

export type MediaPart = { inlineData: Inline } | { fileData: FileReference };

type Data =
  | { text: string; thought?: boolean }
  | MediaPart
  | { functionCall: FunctionCall }
  | { functionResponse: FunctionResponse };

/** Parts of any kind can have a signature. */
export type Part = Data & { thoughtSignature?: string };

export type Content = { role: "user" | "model"; parts: Part[] };

export type FunctionDeclaration = {
  name: string;
  description?: string;
  /** JSON Schema. */
  parametersJsonSchema?: JsonObject;
  /** The subset of OpenAPI 3.0 that all models accept. */
  parameters?: JsonObject;
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

/** An unstreamed answer, or one chunk of a streamed one. */
export type GenerateContentResponse = {
  candidates?: Candidate[];
  usageMetadata?: UsageMetadata;
  modelVersion?: string;
  responseId?: string;
};

export function isOptional<T>(value: unknown, guard: (value: unknown) => value is T): value is T | undefined {
  return value === undefined || guard(value);
}

export function unlessEmpty(value: JsonObject): JsonObject | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}
