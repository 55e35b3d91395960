import {
  type AgentMessage,
  type AssistantMessage,
  fallbacksIn,
  isPriceUnknown,
  isSilent,
  pairUp,
  sumUsage,
  type ToolCall,
  type ToolResultMessage,
} from "dragoman/core";
import { texts } from "../text/texts.js";
import { errorNote } from "./errors.js";
import { noteParts } from "./notes.js";
import { contentParts, type Part, partsOfBlock, type ToolPart } from "./parts.js";
import { type Speaker, speakerOf } from "./speakers.js";

/** A message as displayed. The object is reused while nothing about it changes. */
export interface Item {
  /** Unique even where message ids repeat or are missing. */
  key: string;
  message: AgentMessage;
  /** The name above it; undefined for notes, and where an answer continues after its tools. */
  speaker: Speaker | undefined;
  /** The answer continues in a later message, after its tools. */
  isContinued: boolean;
  parts: readonly Part[];
  /** Where the parts are in the message, if others are left out. */
  places?: readonly number[];
}

interface CachedItem {
  /** The values the item was made from. */
  from: readonly unknown[];
  item: Item;
}

const cache = new WeakMap<AgentMessage, CachedItem>();
const keys = new WeakMap<AgentMessage, string>();
let lastKey = 0;

/** A transcript's items: calls joined with results, usage at an answer's end. Cached by message. */
export function itemsOf(messages: readonly AgentMessage[]): Item[] {
  const results = resultsByCall(messages);
  const items: Item[] = [];
  let turn: AssistantMessage[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === "toolResult") {
      if (!results.joined.has(message)) items.push(itemOf(message, [], () => orphanParts(message)));
      continue;
    }
    if (message.role !== "assistant") {
      if (endsTurn(message)) turn = [];
      const speaker = speakerFor(message);
      const parts = () =>
        message.role === "user" ? contentParts(message.content, true) : noteParts(message);
      items.push(itemOf(message, [], parts, speaker === undefined ? {} : { speaker }));
      continue;
    }
    const continues = turn.at(-1)?.sender === message.sender && turn.length > 0;
    if (continues) turn.push(message);
    else turn = [message];
    const follower = nextOf(messages, at);
    const goesOn = follower?.role === "assistant" && follower.sender === message.sender;
    const answered = results.byMessage.get(message) ?? [];
    const errorFollows = follower?.role === "error";
    const spent = goesOn ? [] : turn;
    items.push(
      itemOf(
        message,
        [...answered, ...spent, errorFollows, continues, goesOn],
        () => answerParts(message, answered, spent, errorFollows),
        {
          // An answer without content is shown only as an error.
          ...(continues || isSilent(message) ? {} : { speaker: speakerOf("assistant", message.sender) }),
          goesOn,
        },
      ),
    );
    if (isSilent(message)) turn = [];
  }
  return items.filter(({ parts }) => parts.length > 0);
}

function itemOf(
  message: AgentMessage,
  from: readonly unknown[],
  parts: () => Part[],
  { speaker, goesOn = false }: { speaker?: Speaker; goesOn?: boolean } = {},
): Item {
  const before = cache.get(message);
  const isSame = before?.from.length === from.length && from.every((value, at) => value === before.from[at]);
  if (isSame) return before.item;
  const item: Item = { key: keyOf(message), message, speaker, isContinued: goesOn, parts: parts() };
  cache.set(message, { from, item });
  return item;
}

function keyOf(message: AgentMessage): string {
  const known = keys.get(message);
  if (known !== undefined) return known;
  const key = `m${lastKey++}`;
  keys.set(message, key);
  return key;
}

/** Status and custom messages do not end an answer. */
function endsTurn({ role }: AgentMessage): boolean {
  return role === "user" || role === "agentMessage" || role === "compaction" || role === "error";
}

/** The next answer, or the message that ends the turn. */
function nextOf(messages: readonly AgentMessage[], at: number): AgentMessage | undefined {
  for (let next = at + 1; next < messages.length; next++) {
    const message = messages[next];
    if (message?.role === "assistant" || (message !== undefined && endsTurn(message))) return message;
  }
  return undefined;
}

interface Results {
  joined: Set<ToolResultMessage>;
  /** The results of each answer's calls, in order. */
  byMessage: Map<AssistantMessage, (ToolResultMessage | undefined)[]>;
}

/** A running call is shown with the latest of its pending results. */
function resultsByCall(messages: readonly AgentMessage[]): Results {
  const results: Results = { joined: new Set(), byMessage: new Map() };
  const { calls, answers, pending } = pairUp(messages.map((message) => ({ message })));
  for (const { spot } of calls) {
    const calling = spot.item.message;
    const result = (answers.get(spot) ?? pending.get(spot)?.at(-1))?.result.message;
    const shown = result?.role === "toolResult" ? result : undefined;
    if (calling.role !== "assistant") continue;
    if (shown !== undefined) results.joined.add(shown);
    const before = results.byMessage.get(calling);
    if (before === undefined) results.byMessage.set(calling, [shown]);
    else before.push(shown);
  }
  return results;
}

function answerParts(
  message: AssistantMessage,
  results: readonly (ToolResultMessage | undefined)[],
  turn: readonly AssistantMessage[],
  errorFollows: boolean,
): Part[] {
  let calls = 0;
  let began = message.timestamp;
  const timed = message.ext?.synthesised?.includes("/timestamp") !== true;
  const toolPart = (call: ToolCall): ToolPart => {
    const result = results[calls++];
    const ms = result === undefined || !timed ? 0 : result.timestamp - began;
    if (result !== undefined) began = Math.max(began, result.timestamp);
    return { type: "tool", call, result, recordedMs: ms > 0 ? ms : undefined };
  };
  const parts = message.content.flatMap((block): Part[] =>
    block.type === "toolCall" ? [toolPart(block)] : partsOfBlock(block, false),
  );
  if (message.stopReason === "error" && !errorFollows) parts.push(errorNote(message));
  const usage = usagePart(message, turn);
  return usage === undefined ? parts : [...parts, usage];
}

function usagePart(message: AssistantMessage, turn: readonly AssistantMessage[]): Part | undefined {
  const { stopReason, provider, model } = message;
  const stopped = stopReason === "length" || stopReason === "aborted" ? stopReason : undefined;
  const usage = sumUsage(turn.map((answer) => answer.usage));
  const fallback = fallbackText(message);
  if (stopped === undefined && fallback === undefined && usage.totalTokens === 0) return undefined;
  return {
    type: "usage",
    usage,
    model: [provider, model].filter((name) => name !== "").join("/"),
    ...(fallback === undefined ? {} : { fallback }),
    priceUnknown: turn.some(isPriceUnknown),
    ...(stopped === undefined ? {} : { stopped }),
  };
}

/** `instead of anthropic/claude (overloaded)`; undefined if the first model answered. */
function fallbackText(message: AssistantMessage): string | undefined {
  const { insteadOf, reasons } = texts.transcript.usage;
  const failed = fallbacksIn(message).map(({ model, reason }) => `${model} (${reasons[reason]})`);
  return failed.length === 0 ? undefined : insteadOf(failed.join(", "));
}

/** A result whose call is missing: cut off, or on another branch. */
function orphanParts(result: ToolResultMessage): Part[] {
  const call: ToolCall = {
    type: "toolCall",
    id: result.toolCallId,
    name: result.toolName === "" ? texts.transcript.tool.unnamed : result.toolName,
    arguments: {},
  };
  return [{ type: "tool", call, result, recordedMs: undefined }];
}

function speakerFor(message: AgentMessage): Speaker | undefined {
  if (message.role === "user") return speakerOf("user", message.sender);
  return message.role === "agentMessage" ? speakerOf("assistant", message.senderId) : undefined;
}
