import type { Dialect, JsonRecord, Limit } from "../core/dialect.js";
import { formatPointer, isPointer, parsePointer, resolvePointer } from "../core/json/pointer.js";
import { isObject } from "../core/json/value.js";
import { noteOf } from "../core/message/notes.js";
import { promptText } from "../core/shown/system-prompt.js";
import type { AgentMessage, Loss, SystemMessage, UserMessage } from "../core/types.js";
import { is } from "../core/validate.js";
import { align, type Difference, differences } from "./compare.js";
import type { SourceMessage } from "./decode.js";
import { missingWhenJoined } from "./joined.js";
import { pointerOf, spotIn } from "./report.js";

const severities = { missing: "dropped", changed: "approximated", extra: "synthesised" } as const;

/** The differences between the source and what a reader of the target will see. */
export function lossesBetween(
  source: readonly SourceMessage[],
  back: readonly AgentMessage[],
  target: Dialect,
  partners = partnersOf(source, back, target),
): Loss[] {
  const losses: Loss[] = [];
  let prompt: string | undefined;
  let before: AgentMessage | undefined;
  for (const [index, origin] of source.entries()) {
    if (origin.made === true) continue;
    const partner = back[partners[index] ?? -1];
    if (partner?.role === "system") prompt = promptText(partner);
    if (partner === undefined) losses.push(...unmatchedLosses(origin, before, prompt, target));
    else
      for (const one of messageDifferences(origin.message, partner)) {
        if (origin.changed !== true || !isNoteOf(target, one)) losses.push(lostField(origin, one, target));
      }
    before = partner ?? before;
  }
  if (source.length === back.length && partners.every((partner) => partner !== undefined)) return losses;
  const known = new Set(partners);
  for (const [index, extra] of back.entries()) {
    if (!known.has(index)) losses.push(addedMessage(source[0], extra, target));
  }
  return losses;
}

/** Whether only the target's own notes on a message were added. */
function isNoteOf({ name }: Dialect, { path: [field, dialect = name], kind }: Difference): boolean {
  return kind === "extra" && field === "ext" && dialect === name;
}

/**
 * For each source message, the index of its counterpart. Where messages are missing, one that the target cannot
 * represent came back empty or not at all.
 */
export function partnersOf(
  source: readonly SourceMessage[],
  back: readonly AgentMessage[],
  target: Dialect,
): (number | undefined)[] {
  if (hasSameRoles(source, back)) return source.map((_, index) => index);
  const messages = source.map(({ message }) => message);
  const counts = new Map<string, number>();
  for (const { role } of messages) counts.set(role, (counts.get(role) ?? 0) + 1);
  for (const { role } of back) counts.set(role, (counts.get(role) ?? 0) - 1);
  if (back.length === 0 || [...counts.values()].every((count) => count <= 0)) return align(messages, back);
  const places = new Map(messages.map((message, index) => [message, index]));
  const lastPlaces = new Map(messages.map((message, index) => [keyOf(message), index]));
  return align(messages, back, (message, partner) => {
    if ((counts.get(message.role) ?? 0) <= 0) return true;
    if (canVanish(message, target)) {
      return foreignDialect(partner, target) !== undefined || sharesMedia(message, partner);
    }
    const key = keyOf(partner);
    if (key === undefined || key === keyOf(message)) return true;
    // If a later message says the same, that one is the counterpart.
    return (lastPlaces.get(key) ?? -1) < (places.get(message) ?? 0);
  });
}

/** Most targets can represent every message of a unit. */
function hasSameRoles(source: readonly SourceMessage[], back: readonly AgentMessage[]): boolean {
  if (source.length !== back.length) return false;
  return source.every(({ message }, index) => message.role === back[index]?.role);
}

/** The role, the texts and the calls of a message; undefined if it has none. */
function keyOf(message: AgentMessage): string | undefined {
  const content: unknown = Reflect.get(message, "content");
  const blocks: unknown[] = Array.isArray(content) ? content : [{ text: content }];
  const said = blocks.flatMap((block) => (isObject(block) ? [block["text"], block["id"]] : []));
  const known = said.filter((value) => typeof value === "string" && value !== "");
  return known.length === 0 ? undefined : JSON.stringify([message.role, known]);
}

/** Whether a target may drop a whole message: it is empty, or has only media or other dialects' blocks. */
function canVanish(message: AgentMessage, target: Dialect): boolean {
  return foreignDialect(message, target) !== undefined || isMedia(message);
}

const media: readonly unknown[] = ["image", "audio", "file"];

function isMedia(message: AgentMessage): boolean {
  const types = blockTypes(message);
  return types.length > 0 && types.every((type) => media.includes(type) || type === "opaque");
}

function sharesMedia(message: AgentMessage, partner: AgentMessage): boolean {
  const types = blockTypes(partner);
  return blockTypes(message).some((type) => media.includes(type) && types.includes(type));
}

function blockTypes(message: AgentMessage): unknown[] {
  const content: unknown = Reflect.get(message, "content");
  return Array.isArray(content) ? content.map((block) => (isObject(block) ? block["type"] : undefined)) : [];
}

/** The dialect of a message whose blocks the target does not understand; empty for a message without blocks. */
function foreignDialect(message: AgentMessage, target: Dialect): string | undefined {
  const content: unknown = Reflect.get(message, "content");
  if (!Array.isArray(content)) return undefined;
  let dialect = "";
  for (const block of content) {
    if (!is("OpaqueContent", block) || block.dialect === target.name) return undefined;
    dialect = block.dialect;
  }
  return dialect;
}

/** A message read back from the record it was written to. */
export interface WrittenMessage {
  message: AgentMessage;
  record: JsonRecord | undefined;
  base?: string;
}

/**
 * The neutral values in the output. We know them by their marks, but other readers see a real zero. Nothing was
 * synthesised where the source had the same value and mark, or where the target omits the field.
 */
export function neutralValues(
  source: readonly SourceMessage[],
  back: readonly WrittenMessage[],
  target: Dialect,
  known?: readonly (number | undefined)[],
): Loss[] {
  if (source.every(({ message }) => message.ext?.synthesised === undefined)) return [];
  const readBack = back.map(({ message }) => message);
  const partners = known ?? partnersOf(source, readBack, target);
  return source.flatMap((from, index) => {
    const to = back[partners[index] ?? -1];
    const kept = to?.message.ext?.synthesised;
    if (kept === undefined || to?.base === undefined) return [];
    return (from.message.ext?.synthesised ?? [])
      .filter((pointer) => kept.includes(pointer) && isPointer(pointer))
      .filter((pointer) => isWritten(pointer, to.record, to.base))
      .filter((pointer) => !isWritten(pointer, from.origin?.value, from.base))
      .map((pointer) => ({
        at: from.origin?.at ?? "",
        what: dotted(parsePointer(pointer)),
        why: synthesisReason(pointer, from.message, target),
        severity: "synthesised" as const,
      }));
  });
}

function isWritten(pointer: string, record: JsonRecord | undefined, base: string | undefined): boolean {
  return base !== undefined && resolvePointer(record, `${base}${pointer}`) !== undefined;
}

/**
 * The differences, where a field that came back with a neutral value counts as missing. The marks in
 * `ext.synthesised` are not differences of their own.
 */
function messageDifferences(source: AgentMessage, back: AgentMessage): Difference[] {
  const all = differences(source, back);
  if (all.length === 0) return all;
  const before = source.ext?.synthesised ?? [];
  const after = back.ext?.synthesised ?? [];
  const gone = after.filter((pointer) => isPointer(pointer) && !before.includes(pointer)).map(parsePointer);
  const unmarked = before.flatMap((pointer, index) => (after.includes(pointer) ? [] : [index]));
  const marksOnly = Object.keys(back.ext ?? {}).every((key) => key === "synthesised");
  const others = all.filter(({ path, kind }) => {
    if (path[0] === "ext" && path[1] === "synthesised") return false;
    if (path[0] === "ext" && path.length === 1 && kind === "extra") return !marksOnly;
    return !gone.some((field) => field.every((token, depth) => token === String(path[depth])));
  });
  return [
    ...gone.map((path): Difference => ({ path, kind: "missing" })),
    ...others,
    ...droppedBlocks(source, back),
    ...(back.ext === undefined ? [] : unmarked).map(
      (index): Difference => ({ path: ["ext", "synthesised", index], kind: "missing" }),
    ),
  ];
}

/** Where blocks became one text, the non-text blocks are missing, although the content is only changed. */
function droppedBlocks(source: AgentMessage, back: AgentMessage): Difference[] {
  if (!isUserOrSystem(source) || !isUserOrSystem(back)) return [];
  if (typeof source.content === "string" || typeof back.content !== "string") return [];
  return source.content.flatMap(({ type }, index): Difference[] =>
    type === "text" ? [] : [{ path: ["content", index], kind: "missing" }],
  );
}

function isUserOrSystem(message: AgentMessage): message is UserMessage | SystemMessage {
  return message.role === "user" || message.role === "system";
}

/** The losses of a message without a counterpart. */
function unmatchedLosses(
  origin: SourceMessage,
  before: AgentMessage | undefined,
  prompt: string | undefined,
  target: Dialect,
): Loss[] {
  const { message } = origin;
  // A note on other translations' losses is not part of the conversation.
  if (noteOf(message)?.type === "dragoman/losses") return [];
  const whole = joinedPrompt(origin, prompt);
  if (whole !== undefined) return [whole];
  const missing = before === undefined ? undefined : missingWhenJoined(message, before);
  if (missing === undefined) return [lostMessage(origin, target)];
  const [at, what] = [origin.origin?.at ?? "", `the ${message.role} message`];
  const why = `its content is joined to ${what} before it`;
  return [
    { at, what, why, severity: "approximated" },
    ...missing.map((index) => lostField(origin, { path: ["content", index], kind: "missing" }, target)),
  ];
}

function lostMessage(origin: SourceMessage, target: Dialect): Loss {
  const note = noteOf(origin.message);
  if (note?.type === "dragoman/rolled-back") {
    const [at, what] = [origin.origin?.at ?? "", `the ${note.data.message.role} message`];
    return { at, what, why: "the user took back its turn", severity: "dropped", of: "message" };
  }
  const { role } = origin.message;
  const foreign = foreignDialect(origin.message, target);
  const why =
    foreign === undefined
      ? (reason([], role, target) ?? messageReason(origin.message, target))
      : foreign === ""
        ? `${target.name} has no message without content`
        : `only ${foreign} understands what is in it`;
  const at = origin.origin?.at ?? "";
  return { at, what: `the ${role} message`, why, severity: "dropped", of: "message" };
}

function messageReason(message: AgentMessage, target: Dialect): string {
  if (!isMedia(message)) return `${target.name} has no such message`;
  const types = new Set(blockTypes(message).filter((type) => media.includes(type)));
  return `${target.name} does not accept the ${[...types].join(" and ")} it consists of`;
}

/** The loss of a system message whose text was joined to the prompt before it. */
function joinedPrompt({ message, origin }: SourceMessage, prompt: string | undefined): Loss | undefined {
  if (message.role !== "system") return undefined;
  if (droppedBlocks(message, { ...message, content: "" }).length > 0) return undefined;
  const text = promptText(message);
  if (text === "" || prompt?.includes(text) !== true) return undefined;
  const why = "its text is joined to the system message before it";
  return { at: origin?.at ?? "", what: "the system message", why, severity: "approximated" };
}

function addedMessage(near: SourceMessage | undefined, extra: AgentMessage, target: Dialect): Loss {
  const why = `${target.name} has one here`;
  const at = near?.origin?.at ?? "";
  return { at, what: `a ${extra.role} message`, why, severity: "synthesised", of: "message" };
}

function lostField(origin: SourceMessage, { path, kind }: Difference, target: Dialect): Loss {
  const value = valueAt(origin.message, path);
  return {
    at: pointerOf(spotIn(origin, path)),
    what: kind === "extra" ? dotted(path) : `${dotted(path)} ${preview(value)}`,
    why:
      blockReason(value, target) ??
      reason(path, origin.message.role, target, kind) ??
      defaultReason(path, origin.message, target, kind),
    severity: path[0] === "ext" && path[1] === "synthesised" ? "synthesised" : severities[kind],
    ...(path[0] === "content" ? { of: "content" } : {}),
  };
}

/** The value at a path of own properties. */
function valueAt(message: AgentMessage, path: readonly (string | number)[]): unknown {
  let found: unknown = message;
  for (const token of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, token)) return undefined;
    found = Reflect.get(found, token);
  }
  return found;
}

/** Why another dialect's block was dropped. */
function blockReason(value: unknown, target: Dialect): string | undefined {
  if (!is("OpaqueContent", value) || value.dialect === target.name) return undefined;
  return `only ${value.dialect} understands this block`;
}

/** A limit on the whole message explains missing fields, not added ones. */
function reason(
  path: readonly (string | number)[],
  role: string,
  target: Dialect,
  kind: Difference["kind"] = "missing",
): string | undefined {
  const isExtra = kind === "extra";
  return target.limits.find((limit) => !(isExtra && limit.at === "") && covers(limit, path, role))?.why;
}

function covers(limit: Limit, path: readonly (string | number)[], of: string): boolean {
  if (limit.role !== undefined && limit.role !== of) return false;
  return patternOf(limit).every(
    (token, index) => index < path.length && (token === "*" || token === String(path[index])),
  );
}

const patterns = new WeakMap<Limit, readonly string[]>();

/** Cached: a conversion can have a loss for each of its messages. */
function patternOf(limit: Limit): readonly string[] {
  const known = patterns.get(limit);
  if (known !== undefined) return known;
  const pattern = limit.at.split("/").slice(1);
  patterns.set(limit, pattern);
  return pattern;
}

function defaultReason(
  path: readonly (string | number)[],
  message: AgentMessage,
  target: Dialect,
  kind: Difference["kind"],
): string {
  if (kind === "extra" && path.at(-1) === "ext")
    return `${target.name} does not record everything our model requires`;
  const ext = path.indexOf("ext");
  if (ext < 0) return `${target.name} has no place for it`;
  if (path[ext + 1] === "synthesised") {
    return synthesisReason(resolvePointer(message, formatPointer(path)), message, target);
  }
  return path[ext + 1] === undefined
    ? "only the dialects named in it can represent it"
    : `only ${path[ext + 1]} can represent it`;
}

/** Why a field was written that the source does not have. */
function synthesisReason(pointer: unknown, message: AgentMessage, target: Dialect): string {
  const isFromCall =
    (pointer === "/toolName" && message.role === "toolResult" && message.toolName !== "") ||
    (pointer === "/stopReason" && message.role === "assistant" && message.stopReason === "toolUse");
  const what = isFromCall ? "it was taken from the tool call" : "a neutral value was written";
  return `${target.name} requires it, so ${what}`;
}

function dotted(path: readonly (string | number)[]): string {
  return path.join(".");
}

const PREVIEW_LENGTH = 40;

/** A text with the same first characters as the JSON of a value, which can be large. It is longer if the JSON is. */
function startOfJson(value: unknown, length: number): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, length));
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const isList = Array.isArray(value);
  let text = isList ? "[" : "{";
  for (const [key, member] of Object.entries(value)) {
    if (text.length > length) return text;
    if (member === undefined && !isList) continue;
    if (text.length > 1) text += ",";
    if (!isList) text += `${JSON.stringify(key)}:`;
    text += startOfJson(member, Math.max(0, length - text.length));
  }
  return text + (isList ? "]" : "}");
}

function preview(value: unknown): string {
  const text = value === undefined ? "" : startOfJson(value, PREVIEW_LENGTH);
  return text.length > PREVIEW_LENGTH ? `(${text.slice(0, PREVIEW_LENGTH)}…)` : `(${text})`;
}
