import type { Dialect, Limit } from "../core/dialect.js";
import { formatPointer, resolvePointer } from "../core/json/pointer.js";
import { isObject } from "../core/json/value.js";
import type { AgentMessage, Loss } from "../core/types.js";
import { is } from "../core/validate.js";
import type { Difference } from "./compare.js";
import type { SourceMessage } from "./decode.js";
import { pointerOf, spotIn } from "./report.js";

type Path = readonly (string | number)[];

const severities = { missing: "dropped", changed: "approximated", extra: "synthesised" } as const;

/** The loss that a difference between a message and what was read back is. */
export function lostField(origin: SourceMessage, { path, kind }: Difference, target: Dialect): Loss {
  const { message } = origin;
  const value = valueAt(message, path);
  const { field, limit } = fieldAt(path, message.role, target, kind);
  const isMark = path[0] === "ext" && path[1] === "synthesised";
  const loss: Loss = {
    at: pointerOf(spotIn(origin, path)),
    what: kind === "extra" ? field : `${field} ${preview(value)}`,
    why: blockReason(value, target) ?? limit ?? defaultReason(path, message, target, kind),
    severity: isMark ? "synthesised" : severities[kind],
  };
  if (path[0] === "content") loss.of = "content";
  return loss;
}

/** The value at a path of own properties. */
function valueAt(message: AgentMessage, path: Path): unknown {
  let found: unknown = message;
  for (const token of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, token)) return undefined;
    found = Reflect.get(found, token);
  }
  return found;
}

/** Why another dialect's block was dropped. */
function blockReason(value: unknown, target: Dialect): string | undefined {
  if (!isObject(value) || value["type"] !== "opaque") return undefined;
  if (!is("OpaqueContent", value) || value.dialect === target.name) return undefined;
  return `only ${value.dialect} understands this block`;
}

/** The reason that the target states. A limit on the whole message explains missing fields, not added ones. */
export function limitOn(
  path: Path,
  role: string,
  target: Dialect,
  kind: Difference["kind"] = "missing",
): string | undefined {
  return fieldAt(path, role, target, kind).limit;
}

function fieldAt(path: Path, role: string, target: Dialect, kind: Difference["kind"]): Field {
  const { patterns, fields } = limitsOf(target);
  const node = fields.at(kind, role, path);
  node.field ??= {
    field: dotted(path),
    limit: patterns.find((limit) => isCovered(limit, path, role, kind))?.why,
  };
  return node.field;
}

function isCovered({ pattern, role }: Pattern, path: Path, of: string, kind: Difference["kind"]): boolean {
  if (role !== undefined && role !== of) return false;
  return !(pattern.length === 0 && kind === "extra") && covers(pattern, path);
}

function covers(pattern: readonly string[], path: Path): boolean {
  if (pattern.length > path.length) return false;
  for (let depth = 0; depth < pattern.length; depth++) {
    const token = pattern[depth];
    if (token !== "*" && token !== String(path[depth])) return false;
  }
  return true;
}

interface Pattern {
  pattern: readonly string[];
  role: string | undefined;
  why: string;
}

interface Limits {
  patterns: readonly Pattern[];
  fields: Fields;
}

/** A field's name in losses, and the limit that applies to it. */
interface Field {
  field: string;
  limit: string | undefined;
}

/** A field, and those of longer paths. */
interface FieldNode {
  field: Field | undefined;
  within: Map<string | number, FieldNode>;
}

/** Bounds the memory: paths can have any token. */
const MOST_FIELDS = 10_000;

/** Fields by kind of difference, role and path: a conversion can have the same losses for each of its messages. */
class Fields {
  #root = emptyNode();
  #count = 0;

  at(kind: string, role: string, path: Path): FieldNode {
    if (this.#count > MOST_FIELDS) {
      this.#root = emptyNode();
      this.#count = 0;
    }
    let node = this.#within(this.#within(this.#root, kind), role);
    for (const token of path) node = this.#within(node, token);
    return node;
  }

  #within({ within }: FieldNode, token: string | number): FieldNode {
    const known = within.get(token);
    if (known !== undefined) return known;
    const node = emptyNode();
    within.set(token, node);
    this.#count++;
    return node;
  }
}

function emptyNode(): FieldNode {
  return { field: undefined, within: new Map() };
}

const limitsByDialect = new WeakMap<readonly Limit[], Limits>();

function limitsOf({ limits }: Dialect): Limits {
  const known = limitsByDialect.get(limits);
  if (known !== undefined) return known;
  const patterns = limits.map(({ at, role, why }) => ({ pattern: at.split("/").slice(1), role, why }));
  const found = { patterns, fields: new Fields() };
  limitsByDialect.set(limits, found);
  return found;
}

function defaultReason(path: Path, message: AgentMessage, target: Dialect, kind: Difference["kind"]): string {
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
export function synthesisReason(pointer: unknown, message: AgentMessage, target: Dialect): string {
  const isFromCall =
    (pointer === "/toolName" && message.role === "toolResult" && message.toolName !== "") ||
    (pointer === "/stopReason" && message.role === "assistant" && message.stopReason === "toolUse");
  const what = isFromCall ? "it was taken from the tool call" : "a neutral value was written";
  return `${target.name} requires it, so ${what}`;
}

export function dotted(path: Path): string {
  return path.join(".");
}

const PREVIEW_LENGTH = 40;

/** A text with the same first characters as the JSON of a value, which can be large. It is longer if the JSON is. */
function startOfJson(value: unknown, length: number): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, length));
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const isList = Array.isArray(value);
  let text = isList ? "[" : "{";
  for (const key of Object.keys(value)) {
    if (text.length > length) return text;
    const member: unknown = Reflect.get(value, key);
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
