import type { HistoryRules } from "../../core/provider.js";
import type {
  AssistantContent,
  AssistantMessage,
  Message,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from "../../core/types.js";
import { wholeJson, wholeText } from "./characters.js";
import { at, type Entry, type Report } from "./entry.js";
import type { ToolNames } from "./names.js";

/** The model that is asked, as far as a history depends on it. */
export interface Target {
  /** The name of the API's dialect, whose own opaque blocks it understands. */
  dialect: string;
  api: string;
  provider: string;
  model: string;
  images: boolean;
  rules: HistoryRules;
  /** How tools are called there; made anew when absent. */
  names?: ToolNames;
}

/** A message of which blocks were left out, and the places of those that were not. */
type Fitted<M extends Message> = Required<Pick<Entry<M>, "message" | "blocks">>;

/** Fits the blocks of each message to the model. A message of which nothing is left is left out, unless it is a result. */
export function fitContent(entries: readonly Entry[], target: Target, report: Report): Entry[] {
  return entries.flatMap((entry): Entry[] => {
    const { message } = entry;
    const place = at(entry);
    const fitted =
      message.role === "assistant"
        ? fitAnswer(message, target, place, report)
        : fitGiven(message, target, place, report);
    if (fitted.blocks.length > 0 || message.role === "toolResult") return [{ ...entry, ...fitted }];
    report({
      at: place,
      what: `an empty ${message.role} message`,
      why: "providers refuse messages without content",
      severity: "dropped",
    });
    return [];
  });
}

function fitAnswer(
  message: AssistantMessage,
  target: Target,
  base: string,
  report: Report,
): Fitted<AssistantMessage> {
  const same =
    message.provider === target.provider && message.api === target.api && message.model === target.model;
  const fitted = message.content.flatMap((block, index) => {
    const place = `${base}/content/${index}`;
    return fitAnswerBlock(
      same ? block : withoutNotes(block, target.dialect, place, report),
      same,
      target,
      place,
      report,
    ).map((fit) => ({ fit, index }));
  });
  return {
    message: { ...message, content: fitted.map(({ fit }) => fit) },
    blocks: fitted.map(({ index }) => index),
  };
}

function fitAnswerBlock(
  block: AssistantContent,
  same: boolean,
  target: Target,
  place: string,
  report: Report,
): AssistantContent[] {
  switch (block.type) {
    case "text":
      return fitText(same ? block : without(block, "textSignature", place, report), place, report);
    case "thinking":
      return fitThinking(block, same, target, place, report);
    case "toolCall":
      return [fitCall(same ? block : without(block, "thoughtSignature", place, report), place, report)];
    case "opaque":
      if (same && block.dialect === target.dialect) return [block];
      report(lost(place, `an item only ${block.dialect} understands`, "another model cannot take it"));
      return [];
    case "image":
    case "audio":
    case "file":
      report(lost(place, `the ${block.type} in an answer`, "models do not take them back"));
      return [];
  }
}

function fitThinking(
  block: Extract<AssistantContent, { type: "thinking" }>,
  same: boolean,
  { rules }: Target,
  place: string,
  report: Report,
): AssistantContent[] {
  const signed = isSigned(block, rules);
  // Signed thinking is valid letter by letter.
  if (same && rules.thinking !== "none" && signed) return [block];
  if (same && rules.thinking === "any") {
    return [{ ...block, thinking: wholeText(block.thinking, place, report) }];
  }
  if (block.redacted === true || (signed && !same) || block.thinking.trim() === "") {
    report(lost(place, "thinking", "its signature is valid for the model that made it only"));
    return [];
  }
  report({
    at: place,
    what: "thinking",
    why: "this API takes no unsigned thinking; it is sent as text",
    severity: "approximated",
  });
  return [{ type: "text", text: wholeText(block.thinking, place, report) }];
}

function fitCall(call: ToolCall, place: string, report: Report): ToolCall {
  const given = wholeJson(call.arguments, `${place}/arguments`, report);
  return given === call.arguments ? call : { ...call, arguments: given };
}

function isSigned({ thinkingSignature = "" }: ThinkingContent, { isSignature }: HistoryRules): boolean {
  return thinkingSignature !== "" && (isSignature?.(thinkingSignature) ?? true);
}

function fitGiven<M extends UserMessage | ToolResultMessage>(
  message: M,
  target: Target,
  base: string,
  report: Report,
): Fitted<M> {
  const blocks: UserContent[] =
    typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
  const fitted = blocks
    .flatMap((block, index) =>
      fitBlock(block, message.role, target, `${base}/content/${index}`, report).map((fit) => ({
        fit,
        index,
      })),
    )
    .filter(({ fit }, index, all) => !isPlaceholder(fit) || !isPlaceholder(all[index - 1]?.fit));
  return {
    message: { ...message, content: fitted.map(({ fit }) => fit) },
    blocks: fitted.map(({ index }) => index),
  };
}

const PLACEHOLDER = "[image: this model cannot see images]";

function isPlaceholder(block: UserContent | undefined): boolean {
  return block?.type === "text" && block.text === PLACEHOLDER;
}

function fitBlock(
  block: UserContent,
  role: "user" | "toolResult",
  { images, rules, dialect }: Target,
  place: string,
  report: Report,
): UserContent[] {
  switch (block.type) {
    case "text":
      return fitText(block, place, report);
    case "image":
      if (images) return [block];
      report({ at: place, what: "an image", why: "the model cannot see images", severity: "approximated" });
      return [{ type: "text", text: PLACEHOLDER }];
    case "audio":
    case "file":
      if (role === "user" && rules.blocks.includes(block.type)) return [block];
      report(lost(place, `${block.type === "audio" ? "audio" : "a file"}`, "this API does not take it"));
      return [];
    case "opaque":
      if (block.dialect === dialect) return [block];
      report(lost(place, `an item only ${block.dialect} understands`, "this API does not take it"));
      return [];
  }
}

function fitText<B extends Extract<AssistantContent, { type: "text" }>>(
  block: B,
  place: string,
  report: Report,
): B[] {
  if (block.text.trim() === "" && block.textSignature === undefined) {
    report(lost(place, "a blank text block", "providers refuse blank text"));
    return [];
  }
  const text = wholeText(block.text, place, report);
  return [text === block.text ? block : { ...block, text }];
}

/** Ids of items and the like mean something to the model that made them only. */
function withoutNotes<B extends AssistantContent>(
  block: B,
  dialect: string,
  place: string,
  report: Report,
): B {
  if (block.ext?.[dialect] === undefined) return block;
  const { [dialect]: _, ...ext } = block.ext;
  report(lost(`${place}/ext/${dialect}`, `what only ${dialect} says of it`, "another model cannot take it"));
  return { ...block, ext };
}

function without<B extends object, K extends keyof B & string>(
  block: B,
  key: K,
  place: string,
  report: Report,
): B {
  if (block[key] === undefined) return block;
  const copy = { ...block };
  delete copy[key];
  report(lost(`${place}/${key}`, "a signature", "it is valid for the model that made it only"));
  return copy;
}

function lost(place: string, what: string, why: string) {
  return { at: place, what, why, severity: "dropped" as const };
}
