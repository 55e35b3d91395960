import type { ShownMessage } from "../../core/shown/conversation.js";
import { promptText } from "../../core/shown/system-prompt.js";
import type {
  AssistantContent,
  AssistantMessage,
  SystemMessage,
  ToolCall,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from "../../core/types.js";
import { wholeJson, wholeText } from "./characters.js";
import { at, type Entry, lost, type Report } from "./entry.js";
import { fitImage, fitOther, isImagePlaceholder } from "./media.js";
import type { Target } from "./target.js";
import { type AnswerOrigin, fitThinking } from "./thinking.js";

/** A message without the blocks that were left out, and the original indexes of the others. */
type Fitted<M extends ShownMessage> = Required<Pick<Entry<M>, "message" | "blocks">>;

/** Fits the blocks of each message to the model. Messages that become empty are left out, except results. */
export function fitContent(entries: readonly Entry[], target: Target, report: Report): Entry[] {
  return entries.flatMap((entry): Entry[] => {
    const { message } = entry;
    const place = at(entry);
    const fitted =
      message.role === "assistant"
        ? fitAnswer(message, target, place, report)
        : message.role === "system"
          ? fitSystem(message, place, report)
          : fitInput(message, target, place, report);
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

/** A system message becomes one text, as it is shown to the model. */
function fitSystem(message: SystemMessage, place: string, report: Report): Fitted<SystemMessage> {
  const content = wholeText(promptText(message), place, report);
  return { message: { ...message, content }, blocks: content.trim() === "" ? [] : [0] };
}

function fitAnswer(
  message: AssistantMessage,
  target: Target,
  base: string,
  report: Report,
): Fitted<AssistantMessage> {
  const same =
    message.provider === target.provider && message.api === target.api && message.model === target.model;
  const origin = same ? "same" : message.model === "" ? "unknown" : "other";
  const fitted = message.content.flatMap((block, index) => {
    const place = `${base}/content/${index}`;
    const own = same ? block : withoutExt(block, target.dialect, place, report);
    const fit = fitAnswerBlock(own, origin, target, place, report);
    return fit === undefined ? [] : [{ fit, index, isThought: block.type === "thinking" }];
  });
  const content = separateThinking(fitted, target.rules.joinsTexts);
  return {
    message: { ...message, content: content.map(({ fit }) => fit) },
    blocks: content.map(({ index }) => index),
  };
}

interface FittedBlock {
  fit: AssistantContent;
  index: number;
  isThought: boolean;
}

/** Puts a blank line between thinking that became text and the text after it. */
function separateThinking(fitted: readonly FittedBlock[], joins: boolean): FittedBlock[] {
  const blocks: FittedBlock[] = [];
  for (const block of fitted) {
    const { fit } = block;
    const last = blocks.at(-1);
    if (last?.isThought !== true || last.fit.type !== "text" || fit.type !== "text") {
      blocks.push(block);
      continue;
    }
    const thought = `${last.fit.text.trimEnd()}\n\n`;
    blocks.pop();
    if (joins) blocks.push({ ...block, fit: { ...fit, text: thought + fit.text } });
    else blocks.push({ ...last, fit: { ...last.fit, text: thought } }, block);
  }
  return blocks;
}

function fitAnswerBlock(
  block: AssistantContent,
  origin: AnswerOrigin,
  target: Target,
  place: string,
  report: Report,
): AssistantContent | undefined {
  const { signs } = target.rules;
  const same = origin === "same";
  const why = same ? "this API has no field for it" : "it is valid only for the model that created it";
  switch (block.type) {
    case "text": {
      const keeps = same && signs.includes("text");
      return fitText(
        keeps ? block : withoutSignature(block, "textSignature", why, place, report),
        place,
        report,
      );
    }
    case "thinking":
      return fitThinking(block, origin, target.rules, place, report);
    case "toolCall": {
      const keeps = same && signs.includes("call");
      return fitCall(
        keeps ? block : withoutSignature(block, "thoughtSignature", why, place, report),
        place,
        report,
      );
    }
    case "opaque":
      if (same && block.dialect === target.dialect) return block;
      report(lost(place, `an item of ${block.dialect}`, "other models do not accept it"));
      return undefined;
    case "image":
    case "audio":
    case "file":
      report(lost(place, `the ${block.type} in an answer`, "models do not accept it in a history"));
      return undefined;
  }
}

function fitCall(call: ToolCall, place: string, report: Report): ToolCall {
  const given = wholeJson(call.arguments, `${place}/arguments`, report);
  return given === call.arguments ? call : { ...call, arguments: given };
}

function fitInput<M extends UserMessage | ToolResultMessage>(
  message: M,
  target: Target,
  base: string,
  report: Report,
): Fitted<M> {
  const blocks: UserContent[] =
    typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
  const fitted = blocks
    .flatMap((block, index) => {
      const fit = fitBlock(block, message.role, target, `${base}/content/${index}`, report);
      return fit === undefined ? [] : [{ fit, index }];
    })
    .filter(({ fit }, index, all) => !isImagePlaceholder(fit) || !isImagePlaceholder(all[index - 1]?.fit));
  return {
    message: { ...message, content: fitted.map(({ fit }) => fit) },
    blocks: fitted.map(({ index }) => index),
  };
}

function fitBlock(
  block: UserContent,
  role: "user" | "toolResult",
  target: Target,
  place: string,
  report: Report,
): UserContent | undefined {
  switch (block.type) {
    case "text":
      // No API accepts a signature on the text of a user or a tool.
      return fitText(
        withoutSignature(block, "textSignature", "only a model's text has a signature", place, report),
        place,
        report,
      );
    case "image":
      return fitImage(block, target, place, report);
    case "audio":
    case "file":
      return fitOther(block, role, target.rules, place, report);
    case "opaque":
      if (block.dialect === target.dialect) return block;
      report(lost(place, `an item of ${block.dialect}`, "this API does not accept it"));
      return undefined;
  }
}

function fitText<B extends Extract<AssistantContent, { type: "text" }>>(
  block: B,
  place: string,
  report: Report,
): B | undefined {
  // Before the check for blank text: a text of lone surrogates becomes empty.
  const text = wholeText(block.text, place, report);
  if (text.trim() === "" && block.textSignature === undefined) {
    report(lost(place, "a blank text block", "providers refuse blank text"));
    return undefined;
  }
  return text === block.text ? block : { ...block, text };
}

/** Notes such as item ids are valid only for the model that created them. */
function withoutExt<B extends AssistantContent>(block: B, dialect: string, place: string, report: Report): B {
  if (block.ext?.[dialect] === undefined) return block;
  const { [dialect]: _, ...ext } = block.ext;
  report(lost(`${place}/ext/${dialect}`, `the fields of ${dialect}`, "other models do not accept them"));
  return { ...block, ext };
}

function withoutSignature<B extends object, K extends keyof B & string>(
  block: B,
  key: K,
  why: string,
  place: string,
  report: Report,
): B {
  if (block[key] === undefined) return block;
  const copy = { ...block };
  delete copy[key];
  report(lost(`${place}/${key}`, "a signature", why));
  return copy;
}
