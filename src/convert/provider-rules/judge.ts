import type { AssistantMessage } from "../../core/types.js";
import type { SourceMessage } from "../decode.js";
import { type Block, blocksOf, isBlank, isSpoken, type Spoken } from "../meaning/blocks.js";
import type { Rule } from "../meaning/rule.js";
import { brokenTexts } from "../meaning/surrogates.js";
import { type Report, spotIn } from "../report.js";
import { type Refusal, type Refused, refusal } from "./catalogue.js";
import { judgeMedia } from "./media.js";
import type { ProviderRules, Shape } from "./rules.js";

/** What the API would refuse in each message alone. */
export class ProviderRule implements Rule {
  readonly #report: Report;
  readonly #rules: ProviderRules;

  constructor(report: Report, rules: ProviderRules) {
    this.#report = report;
    this.#rules = rules;
  }

  see(source: SourceMessage): void {
    if (!isSpoken(source.message)) return;
    for (const { path, reason, message } of refusedIn(source.message, this.#rules)) {
      this.#report.add(spotIn(source, path), refusal(this.#rules.name, reason, message));
    }
  }
}

/** Whether the API takes this text in a block, or as the content of a message. */
export function takesText(text: string, rules: ProviderRules): boolean {
  if (rules.text === "any") return true;
  return rules.text === "not empty" ? text !== "" : !isBlank(text);
}

/** Only a tool may have nothing to say. */
export function takesContent(message: Spoken, rules: ProviderRules): boolean {
  if (message.role === "toolResult" || rules.takesEmptyMessages) return true;
  // An empty string is content where any text is.
  return typeof message.content === "string" || message.content.length > 0;
}

function* refusedIn(message: Spoken, rules: ProviderRules): Generator<Refused> {
  if (!takesContent(message, rules)) {
    yield { path: ["content"], reason: "empty-message", message: `the ${message.role} message is empty` };
  }
  if (typeof message.content === "string" && !takesText(message.content, rules)) {
    yield { path: ["content"], reason: "blank-text", message: "the text is blank" };
  }
  if (message.role === "toolResult") {
    yield* refusedShape(message.toolCallId, rules.toolId, ["toolCallId"], "tool-id");
    if (message.toolName !== "") {
      yield* refusedShape(message.toolName, rules.toolName, ["toolName"], "tool-name");
    } else if (rules.namesResults) {
      yield { path: ["toolName"], reason: "result-name", message: "the tool result does not name its tool" };
    }
  }
  for (const { block, path } of blocksOf(message)) yield* refusedBlock(block, message, path, rules);
  if (rules.takesLoneSurrogates) return;
  for (const path of brokenTexts(message.content, ["content"])) {
    yield { path, reason: "lone-surrogate", message: "the text holds half of a character" };
  }
}

function* refusedBlock(
  block: Block,
  message: Spoken,
  path: readonly (string | number)[],
  rules: ProviderRules,
): Generator<Refused> {
  if (message.role === "assistant") yield* refusedSignatures(block, message, path, rules);
  switch (block.type) {
    case "text":
      if (!takesText(block.text, rules)) {
        yield { path: [...path, "text"], reason: "blank-text", message: "the text is blank" };
      }
      return;
    case "thinking":
      if (!rules.takesUnsignedThinking && (block.thinkingSignature ?? "") === "") {
        yield { path, reason: "unsigned-thinking", message: "the thinking has no signature" };
      }
      return;
    case "toolCall":
      yield* refusedShape(block.id, rules.toolId, [...path, "id"], "tool-id");
      yield* refusedShape(block.name, rules.toolName, [...path, "name"], "tool-name");
      return;
    case "opaque":
      if (block.dialect === rules.name) return;
      yield {
        path,
        reason: "unknown-block",
        message: `the API has no block that only ${block.dialect} knows`,
      };
      return;
    default:
      yield* judgeMedia(block, message.role, path, rules);
  }
}

function* refusedShape(
  value: string,
  shape: Shape | undefined,
  path: readonly (string | number)[],
  reason: Refusal,
): Generator<Refused> {
  if (shape === undefined || shape.pattern.test(value)) return;
  const what = reason === "tool-id" ? "id" : "name";
  yield { path, reason, message: `the API wants ${shape.words}, but the ${what} is "${value}"` };
}

const signatureFields = ["thinkingSignature", "textSignature", "thoughtSignature"];

/** A signature is bound to the API that made it. Of a message that does not say its API nothing is known. */
function* refusedSignatures(
  block: Block,
  { api }: AssistantMessage,
  path: readonly (string | number)[],
  { signatures }: ProviderRules,
): Generator<Refused> {
  if (signatures.length === 0 || api === "" || signatures.includes(api)) return;
  for (const field of signatureFields) {
    if (!Object.hasOwn(block, field)) continue;
    const message = `the signature was made by ${api} and means nothing to this API`;
    yield { path: [...path, field], reason: "foreign-signature", message };
  }
}
