import type { Dialect, JsonRecord } from "../core/dialect.js";
import { isPointer, parsePointer, resolvePointer } from "../core/json/pointer.js";
import { isObject } from "../core/json/value.js";
import { noteOf } from "../core/message/notes.js";
import { promptText } from "../core/shown/system-prompt.js";
import type { AgentMessage, Loss, SystemMessage, UserMessage } from "../core/types.js";
import { is } from "../core/validate.js";
import { align, type Difference, differences } from "./compare.js";
import type { SourceMessage } from "./decode.js";
import { dotted, limitOn, lostField, synthesisReason } from "./field-loss.js";
import { missingWhenJoined } from "./joined.js";

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
  for (let index = 0; index < source.length; index++) {
    const origin = source[index];
    if (origin === undefined || origin.made === true) continue;
    const partner = back[partners[index] ?? -1];
    if (partner?.role === "system") prompt = promptText(partner);
    if (partner === undefined)
      for (const loss of unmatchedLosses(origin, before, prompt, target)) losses.push(loss);
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
  if (hasSameRoles(source, back)) return indexesOf(source);
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

function indexesOf(list: readonly unknown[]): number[] {
  // Not `map`: arrays of a conversion have one kind (decision 410).
  const indexes: number[] = [];
  while (indexes.length < list.length) indexes.push(indexes.length);
  return indexes;
}

/** Most targets can represent every message of a unit. */
function hasSameRoles(source: readonly SourceMessage[], back: readonly AgentMessage[]): boolean {
  if (source.length !== back.length) return false;
  for (let index = 0; index < source.length; index++) {
    if (source[index]?.message.role !== back[index]?.role) return false;
  }
  return true;
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
  base: string | undefined;
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
  const losses: Loss[] = [];
  let partners = known;
  for (let index = 0; index < source.length; index++) {
    const from = source[index];
    const marks = from?.message.ext?.synthesised;
    if (from === undefined || marks === undefined) continue;
    partners ??= partnersOf(
      source,
      back.map(({ message }) => message),
      target,
    );
    const to = back[partners[index] ?? -1];
    const kept = to?.message.ext?.synthesised;
    if (kept === undefined || to?.base === undefined) continue;
    for (const pointer of marks) {
      if (!kept.includes(pointer) || !isPointer(pointer)) continue;
      if (!isWritten(pointer, to.record, to.base)) continue;
      if (isWritten(pointer, from.origin?.value, from.base)) continue;
      losses.push({
        at: from.origin?.at ?? "",
        what: dotted(parsePointer(pointer)),
        why: synthesisReason(pointer, from.message, target),
        severity: "synthesised",
      });
    }
  }
  return losses;
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
  const found: Difference[] = [];
  for (const pointer of after) {
    if (isPointer(pointer) && !before.includes(pointer))
      found.push({ path: parsePointer(pointer), kind: "missing" });
  }
  const gone = found.length;
  for (const one of all) {
    if (!isMark(one, back) && !isWithin(one.path, found, gone)) found.push(one);
  }
  for (const one of droppedBlocks(source, back)) found.push(one);
  if (back.ext === undefined) return found;
  for (let index = 0; index < before.length; index++) {
    if (!after.includes(before[index] ?? ""))
      found.push({ path: ["ext", "synthesised", index], kind: "missing" });
  }
  return found;
}

/** Whether it is only in the marks of neutral values. */
function isMark({ path, kind }: Difference, back: AgentMessage): boolean {
  if (path[0] !== "ext") return false;
  if (path.length > 1 || kind !== "extra") return path[1] === "synthesised";
  for (const key in back.ext) if (key !== "synthesised") return false;
  return true;
}

/** Whether a path leads to or into one of the first `count` differences. */
function isWithin(path: Difference["path"], found: readonly Difference[], count: number): boolean {
  for (let index = 0; index < count; index++) {
    if (leadsTo(found[index]?.path ?? [], path)) return true;
  }
  return false;
}

function leadsTo(above: Difference["path"], path: Difference["path"]): boolean {
  for (let depth = 0; depth < above.length; depth++) {
    if (above[depth] !== path[depth] && above[depth] !== String(path[depth])) return false;
  }
  return true;
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
      ? (limitOn([], role, target) ?? messageReason(origin.message, target))
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
