import { hasShape, type Shape } from "../../core/api/api-rules.js";
import type { Api } from "../../core/api/provider.js";
import type { AssistantMessage } from "../../core/types.js";
import { type Block, blocksOf, isModelMessage, type ModelMessage } from "../meaning/blocks.js";
import type { Rule } from "../meaning/rule.js";
import { brokenTexts } from "../meaning/surrogates.js";
import { type Report, spotIn } from "../report.js";
import { acceptsContent, acceptsText, toolIdOf } from "./accepts.js";
import { type Refusal, type Refused, refusal } from "./catalogue.js";
import { refusedMedia } from "./media.js";

/** Reports what the API would refuse in a single message. */
export function providerRule(report: Report, api: Api): Rule {
  return {
    check(source) {
      if (!isModelMessage(source.message)) return;
      for (const { path, reason, message } of refusedIn(source.message, api)) {
        report.add(spotIn(source, path), refusal(api.dialect, reason, message));
      }
    },
  };
}

function* refusedIn(message: ModelMessage, api: Api): Generator<Refused> {
  const { rules } = api;
  if (!acceptsContent(message, api)) {
    yield { path: ["content"], reason: "empty-message", message: `the ${message.role} message is empty` };
  }
  if (typeof message.content === "string" && !acceptsText(message.content, api)) {
    yield { path: ["content"], reason: "blank-text", message: "the text is blank" };
  }
  if (message.role === "toolResult") {
    yield* refusedShape(message.toolCallId, toolIdOf(api), ["toolCallId"], "tool-id");
    if (message.toolName !== "") {
      yield* refusedShape(message.toolName, rules.toolName, ["toolName"], "tool-name");
    } else if (rules.namesResults) {
      yield { path: ["toolName"], reason: "result-name", message: "the tool result does not name its tool" };
    }
  }
  for (const { block, path } of blocksOf(message)) yield* refusedBlock(block, message, path, api);
  if (rules.acceptsLoneSurrogates) return;
  for (const path of brokenTexts(message.content, ["content"])) {
    yield { path, reason: "lone-surrogate", message: "the text contains half of a character" };
  }
}

function* refusedBlock(
  block: Block,
  message: ModelMessage,
  path: readonly (string | number)[],
  api: Api,
): Generator<Refused> {
  const { rules } = api;
  if (message.role === "assistant") yield* refusedSignatures(block, message, path, rules);
  switch (block.type) {
    case "text":
      if (!acceptsText(block.text, api)) {
        yield { path: [...path, "text"], reason: "blank-text", message: "the text is blank" };
      }
      return;
    case "thinking":
      if (rules.unsignedThinking === "refused" && (block.thinkingSignature ?? "") === "") {
        yield { path, reason: "unsigned-thinking", message: "the thinking has no signature" };
      }
      return;
    case "toolCall":
      yield* refusedShape(block.id, toolIdOf(api), [...path, "id"], "tool-id");
      yield* refusedShape(block.name, rules.toolName, [...path, "name"], "tool-name");
      return;
    case "opaque":
      if (block.dialect === api.dialect) return;
      yield { path, reason: "unknown-block", message: `the API does not know this ${block.dialect} block` };
      return;
    default:
      yield* refusedMedia(block, message.role, path, rules);
  }
}

function* refusedShape(
  value: string,
  shape: Shape | undefined,
  path: readonly (string | number)[],
  reason: Refusal,
): Generator<Refused> {
  if (shape === undefined || hasShape(value, shape)) return;
  const what = reason === "tool-id" ? "id" : "name";
  yield { path, reason, message: `the API requires ${shape.words}, but the ${what} is "${value}"` };
}

const signatureFields = ["thinkingSignature", "textSignature", "thoughtSignature"];

/** A signature is valid only for the API that made it. Messages without an API are not checked. */
function* refusedSignatures(
  block: Block,
  { api }: AssistantMessage,
  path: readonly (string | number)[],
  { signatures }: Api["rules"],
): Generator<Refused> {
  if (signatures.length === 0 || api === "" || signatures.includes(api)) return;
  for (const field of signatureFields) {
    if (!Object.hasOwn(block, field)) continue;
    const message = `the signature was made by ${api} and is not valid for this API`;
    yield { path: [...path, field], reason: "foreign-signature", message };
  }
}
