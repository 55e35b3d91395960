import { isObject, isString, type JsonObject } from "../json/value.js";
import type { AssistantContent } from "../types.js";
import { readReasoning, readSignature, writeSignature } from "./responses-signatures.js";

/*
 * The AI SDK keeps the signatures of an answer in the metadata of its parts, under the name of the provider:
 *
 *     { "anthropic": { "signature": "EqQB…" } }
 */

export type SignedKind = "text" | "thinking" | "toolCall";

interface Signature {
  signature: string;
  redacted?: true;
  /** The provider's item; several parts may belong to one. */
  item?: string;
}

interface Provider {
  name: string;
  read(own: JsonObject, kind: SignedKind, text: string): Signature | undefined;
  write(block: AssistantContent): JsonObject | undefined;
}

/** A provider with a field for the signature of each kind of block. */
function plainProvider(name: string, fields: { [K in SignedKind | "redacted"]?: string }): Provider {
  return {
    name,
    read(own, kind) {
      const value = own[fields[kind] ?? ""];
      if (isString(value)) return { signature: value };
      const hidden = kind === "thinking" ? own[fields.redacted ?? ""] : undefined;
      return isString(hidden) ? { signature: hidden, redacted: true } : undefined;
    },
    write(block) {
      const isRedacted = block.type === "thinking" && block.redacted === true;
      const kind = isRedacted ? "redacted" : kindOf(block);
      const field = kind && fields[kind];
      const signature = signatureIn(block);
      return field === undefined || signature === undefined ? undefined : { [field]: signature };
    },
  };
}

/** The Responses API: a text is signed by the id of its item, and thinking is a whole item. */
const responses: Provider = {
  name: "openai",
  read({ itemId, reasoningEncryptedContent: encrypted, phase }, kind, text) {
    if (!isString(itemId) || kind === "toolCall") return undefined;
    const item = { item: itemId };
    if (kind === "text") {
      return { signature: writeSignature({ id: itemId, ...(isString(phase) ? { phase } : {}) }), ...item };
    }
    const summary = text === "" ? [] : [{ type: "summary_text", text }];
    const reasoning = { id: itemId, type: "reasoning", summary };
    return {
      signature: JSON.stringify(
        isString(encrypted) ? { ...reasoning, encrypted_content: encrypted } : reasoning,
      ),
      ...item,
    };
  },
  write(block) {
    if (block.type === "text") {
      const { id, ...more } = readSignature(block.textSignature) ?? {};
      return id === undefined ? undefined : { itemId: id, ...more };
    }
    const { id, encrypted_content: encrypted = null } =
      (block.type === "thinking" ? readReasoning(block.thinkingSignature) : undefined) ?? {};
    return isString(id) ? { itemId: id, reasoningEncryptedContent: encrypted } : undefined;
  },
};

/** By `AssistantMessage.api`. */
const providers: ReadonlyMap<string, Provider> = new Map([
  ["anthropic-messages", plainProvider("anthropic", { thinking: "signature", redacted: "redactedData" })],
  ["bedrock-converse", plainProvider("bedrock", { thinking: "signature", redacted: "redactedData" })],
  [
    "google-generative-ai",
    plainProvider("google", {
      text: "thoughtSignature",
      thinking: "thoughtSignature",
      toolCall: "thoughtSignature",
    }),
  ],
  ["openai-responses", responses],
]);

/** The API of the provider that the AI SDK knows by this name; undefined if it is not one of these. */
export function apiOfProvider(provider: unknown): string | undefined {
  for (const [api, { name }] of providers) if (name === provider) return api;
  return undefined;
}

/** The API whose signature is in a part's metadata; undefined if there is none that we know. */
export function signedApi(metadata: unknown, kind: SignedKind): string | undefined {
  for (const [api, { name, read }] of providers) {
    const own = isObject(metadata) ? metadata[name] : undefined;
    if (isObject(own) && read(own, kind, "") !== undefined) return api;
  }
  return undefined;
}

/** Reads the signatures of one answer, which are all of one API. */
export class SignatureReader {
  readonly api: string;
  readonly #provider: Provider | undefined;
  readonly #items = new Set<string>();

  constructor(api: string) {
    this.api = api;
    this.#provider = providers.get(api);
  }

  /** The signature of a part with this text. An item that several parts share signs only the first. */
  read(metadata: unknown, kind: SignedKind, text = ""): Signature | undefined {
    const own = this.#provider && isObject(metadata) ? metadata[this.#provider.name] : undefined;
    const found = isObject(own) ? this.#provider?.read(own, kind, text) : undefined;
    if (found?.item === undefined) return found;
    if (this.#items.has(found.item)) return undefined;
    this.#items.add(found.item);
    return found;
  }
}

/** The metadata for a block's signature; undefined if it has none, or if the SDK has no field for it. */
export function signatureMetadata(block: AssistantContent, api: string): JsonObject | undefined {
  const provider = providers.get(api);
  const own = provider?.write(block);
  return provider === undefined || own === undefined ? undefined : { [provider.name]: own };
}

function kindOf({ type }: AssistantContent): SignedKind | undefined {
  return type === "text" || type === "thinking" || type === "toolCall" ? type : undefined;
}

function signatureIn(block: AssistantContent): string | undefined {
  switch (block.type) {
    case "text":
      return block.textSignature;
    case "thinking":
      return block.thinkingSignature;
    case "toolCall":
      return block.thoughtSignature;
    default:
      return undefined;
  }
}
