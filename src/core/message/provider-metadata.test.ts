import { describe, expect, test } from "vitest";
import type { AssistantContent } from "../types.js";
import { SignatureReader, type SignedKind, signatureMetadata, signedApi } from "./provider-metadata.js";

const reasoning =
  '{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"Hm."}],"encrypted_content":"ZW5j"}';

describe.each<[string, AssistantContent, SignedKind, string, object]>([
  [
    "anthropic-messages",
    { type: "thinking", thinking: "Hm.", thinkingSignature: "c2ln" },
    "thinking",
    "c2ln",
    { anthropic: { signature: "c2ln" } },
  ],
  [
    "anthropic-messages",
    { type: "thinking", thinking: "", thinkingSignature: "cmVk", redacted: true },
    "thinking",
    "cmVk",
    { anthropic: { redactedData: "cmVk" } },
  ],
  [
    "bedrock-converse",
    { type: "thinking", thinking: "Hm.", thinkingSignature: "c2ln" },
    "thinking",
    "c2ln",
    { bedrock: { signature: "c2ln" } },
  ],
  [
    "google-generative-ai",
    { type: "toolCall", id: "c", name: "n", arguments: {}, thoughtSignature: "dGg=" },
    "toolCall",
    "dGg=",
    { google: { thoughtSignature: "dGg=" } },
  ],
  [
    "openai-responses",
    { type: "thinking", thinking: "Hm.", thinkingSignature: reasoning },
    "thinking",
    reasoning,
    { openai: { itemId: "rs_1", reasoningEncryptedContent: "ZW5j" } },
  ],
  [
    "openai-responses",
    { type: "text", text: "Yes.", textSignature: '{"v":1,"id":"msg_1","phase":"final_answer"}' },
    "text",
    '{"v":1,"id":"msg_1","phase":"final_answer"}',
    { openai: { itemId: "msg_1", phase: "final_answer" } },
  ],
])("%s", (api, block, kind, signature, metadata) => {
  test(`writes the signature of ${kind}`, () => expect(signatureMetadata(block, api)).toEqual(metadata));

  test(`reads the signature of ${kind}`, () => {
    expect(signedApi(metadata, kind)).toBe(api);
    expect(new SignatureReader(api).read(metadata, kind, "Hm.")?.signature).toBe(signature);
  });
});

test("a signature without a field is not written", () => {
  const thinking: AssistantContent = { type: "thinking", thinking: "Hm.", thinkingSignature: "c2ln" };
  expect(signatureMetadata(thinking, "ollama-chat")).toBeUndefined();
  expect(signatureMetadata(thinking, "openai-responses")).toBeUndefined();
  expect(signatureMetadata({ type: "text", text: "Hi" }, "google-generative-ai")).toBeUndefined();
});

test("an item that several parts share signs only the first", () => {
  const reader = new SignatureReader("openai-responses");
  const metadata = { openai: { itemId: "rs_1", reasoningEncryptedContent: null } };
  expect(reader.read(metadata, "thinking", "One.")).toBeDefined();
  expect(reader.read(metadata, "thinking", "Two.")).toBeUndefined();
});

test("metadata of another API, or none, has no signature", () => {
  expect(
    new SignatureReader("anthropic-messages").read({ google: { thoughtSignature: "a" } }, "thinking"),
  ).toBe(undefined);
  expect(new SignatureReader("").read({ anthropic: { signature: "a" } }, "thinking")).toBeUndefined();
  expect(signedApi("none", "text")).toBeUndefined();
});
