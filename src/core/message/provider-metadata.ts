import { isObject, isString, type JsonObject } from "../json/value.js";
import type { AssistantContent } from "../types.js";

/*
 * Where the AI SDK's providers keep the signatures of an answer, by `AssistantMessage.api`. The name of the provider comes
 * first, then its field for each kind of block:
 *
 *     { "anthropic": { "signature": "EqQB…" } }
 */
interface Fields {
  provider: string;
  text?: string;
  thinking?: string;
  redacted?: string;
  toolCall?: string;
}

const signed: Readonly<Record<string, Fields>> = {
  "anthropic-messages": { provider: "anthropic", thinking: "signature", redacted: "redactedData" },
  "bedrock-converse": { provider: "bedrock", thinking: "signature", redacted: "redactedData" },
  "google-generative-ai": {
    provider: "google",
    text: "thoughtSignature",
    thinking: "thoughtSignature",
    toolCall: "thoughtSignature",
  },
};

export type SignedKind = "text" | "thinking" | "toolCall";

export interface Signature {
  api: string;
  signature: string;
  redacted?: true;
}

/** The signature in a part's metadata; undefined if there is none that we know. `api` limits the search to one API. */
export function readSignature(metadata: unknown, kind: SignedKind, api?: string): Signature | undefined {
  if (!isObject(metadata)) return undefined;
  for (const [name, fields] of Object.entries(signed)) {
    const own = metadata[fields.provider];
    if ((api !== undefined && api !== name) || !isObject(own)) continue;
    const value = own[fields[kind] ?? ""];
    if (isString(value)) return { api: name, signature: value };
    const hidden = kind === "thinking" ? own[fields.redacted ?? ""] : undefined;
    if (isString(hidden)) return { api: name, signature: hidden, redacted: true };
  }
  return undefined;
}

/** The metadata for a block's signature; undefined if it has none, or if the SDK has no field for it. */
export function writeSignature(block: AssistantContent, api: string): JsonObject | undefined {
  const fields = Object.hasOwn(signed, api) ? signed[api] : undefined;
  if (fields === undefined) return undefined;
  switch (block.type) {
    case "text":
      return metadataOf(fields.provider, fields.text, block.textSignature);
    case "thinking": {
      const field = block.redacted === true ? fields.redacted : fields.thinking;
      return metadataOf(fields.provider, field, block.thinkingSignature);
    }
    case "toolCall":
      return metadataOf(fields.provider, fields.toolCall, block.thoughtSignature);
    default:
      return undefined;
  }
}

function metadataOf(provider: string, field: string | undefined, signature: string | undefined) {
  return field === undefined || signature === undefined ? undefined : { [provider]: { [field]: signature } };
}
