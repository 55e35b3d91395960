import { withoutComments } from "./comments.js";
import { endOfContainer, endOfScalar, endOfString, skipSpace } from "./scan.js";

/** The offsets of an object's member: its key, its value and its end. */
interface Member {
  key: string;
  start: number;
  value: number;
  end: number;
}

interface ObjectSpan {
  start: number;
  /** The offset of the closing brace. */
  close: number;
  members: Member[];
}

/**
 * Sets the value at `path` in valid JSON text, which may have comments, and keeps every other character. Missing objects
 * are created.
 *
 * @example
 * setIn('{\n  "a": 1\n}', ["b", "c"], 2); // '{\n  "a": 1,\n  "b": {\n    "c": 2\n  }\n}'
 */
export function setIn(text: string, path: readonly [string, ...string[]], value: unknown): string {
  const { object, member, rest } = walk(text, path);
  const [key, ...more] = rest;
  if (member !== undefined) {
    const printed = print(value, text, indentOf(text, member.start), !isMultiline(text, object));
    return splice(text, member.value, member.end, printed);
  }
  const made = more.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  return insert(text, object, key, made);
}

/** Removes the value at `path` from valid JSON text, and the objects that it leaves empty. */
export function removeIn(text: string, path: readonly [string, ...string[]]): string {
  const { object, member, depth } = walk(text, path);
  if (member === undefined || depth < path.length - 1) return text;
  const index = object.members.indexOf(member);
  const [before, after] = [object.members[index - 1], object.members[index + 1]];
  if (after !== undefined) return splice(text, member.start, startAfter(text, member, after), "");
  if (before !== undefined) return removeLast(text, before, member);
  const [first, ...parents] = path.slice(0, -1);
  return first === undefined
    ? splice(text, object.start + 1, object.close, "")
    : removeIn(text, [first, ...parents]);
}

/** The comments in the line of a removed member are removed with it, those before the next one are not. */
function startAfter(text: string, { end }: Member, next: Member): number {
  const line = text.indexOf("\n", end) + 1;
  const hasComment = withoutComments(text.slice(end, next.start)) !== text.slice(end, next.start);
  return hasComment && line > 0 && line <= next.start ? skipIndent(text, line) : next.start;
}

function skipIndent(text: string, at: number): number {
  let next = at;
  while (text[next] === " " || text[next] === "\t") next++;
  return next;
}

function removeLast(text: string, before: Member, member: Member): string {
  const between = text.slice(before.end, member.start);
  if (withoutComments(between) === between) return splice(text, before.end, member.end, "");
  const comma = before.end + withoutComments(between).indexOf(",");
  const kept = between.trimEnd().length;
  return splice(splice(text, before.end + kept, member.end, ""), comma, comma + 1, "");
}

interface Found {
  /** The innermost object on the path. */
  object: ObjectSpan;
  /** The member at the path, if it exists. */
  member: Member | undefined;
  /** The rest of the path from that object on. */
  rest: readonly [string, ...string[]];
  depth: number;
}

function walk(written: string, path: readonly [string, ...string[]]): Found {
  const text = withoutComments(written);
  let object = spanOf(text, skipSpace(text, 0));
  let [key, ...more] = path;
  for (let depth = 0; ; depth++) {
    // The last of repeated keys applies, as in `JSON.parse`.
    const member = object.members.findLast((one) => one.key === key);
    const [next, ...after] = more;
    if (member === undefined || next === undefined || text.charAt(member.value) !== "{") {
      return { object, member: next === undefined ? member : undefined, rest: [key, ...more], depth };
    }
    object = spanOf(text, member.value);
    key = next;
    more = after;
  }
}

function spanOf(text: string, start: number): ObjectSpan {
  const members: Member[] = [];
  let at = skipSpace(text, start + 1);
  while (text.charAt(at) === '"') {
    const keyEnd = endOfString(text, at);
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = endOfValue(text, value);
    members.push({ key: String(JSON.parse(text.slice(at, keyEnd))), start: at, value, end });
    at = skipSpace(text, end);
    if (text.charAt(at) === ",") at = skipSpace(text, at + 1);
  }
  return { start, close: at, members };
}

function endOfValue(text: string, start: number): number {
  const first = text.charAt(start);
  if (first === '"') return endOfString(text, start);
  return first === "{" || first === "[" ? endOfContainer(text, start) : endOfScalar(text, start);
}

function insert(text: string, object: ObjectSpan, key: string, value: unknown): string {
  const name = JSON.stringify(key);
  const last = object.members.at(-1);
  const line = lineBreak(text);
  if (last === undefined) {
    const outer = indentOf(text, object.start);
    const inner = outer + unitOf(text);
    const member = `${line}${inner}${name}: ${print(value, text, inner, false)}${line}${outer}`;
    return splice(text, object.start + 1, object.close, member);
  }
  if (!isMultiline(text, object))
    return splice(text, last.end, last.end, `, ${name}: ${JSON.stringify(value)}`);
  const indent = indentOf(text, last.start);
  const member = `${line}${indent}${name}: ${print(value, text, indent, false)}`;
  // A comment in the line of the last member stays there.
  const [comment = ""] = /^[ \t]*\/\/[^\r\n]*/.exec(text.slice(last.end)) ?? [];
  return splice(text, last.end, last.end + comment.length, `,${comment}${member}`);
}

function print(value: unknown, text: string, indent: string, inOneLine: boolean): string {
  if (inOneLine) return JSON.stringify(value);
  return JSON.stringify(value, null, unitOf(text)).replaceAll("\n", lineBreak(text) + indent);
}

function isMultiline(text: string, { start, close }: ObjectSpan): boolean {
  return text.slice(start, close).includes("\n");
}

function lineBreak(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** The indentation of one level. */
function unitOf(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
}

/** The indentation of the line at `at`. */
function indentOf(text: string, at: number): string {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? "";
}

function splice(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end);
}
