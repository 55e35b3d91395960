import { ESCROW, type JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import type { KnownShapes } from "../../core/records/known-shapes.js";
import { isSafeValue } from "./safe-name.js";

export interface ShapeVisitor {
  /** An object, by its path: `<user>.message<user>`. */
  visitObject(path: string): void;
  /** A field of that object, and one of its types: `object[]`. Returns whether to visit the objects in it. */
  visitField(path: string, key: string, type: string): boolean;
}

type Rules = Omit<KnownShapes, "objects">;

/** The type of a free-form field. */
const ANY = "any";

/** Deeper objects are not visited. */
const LONGEST_PATH = 400;

/** Visits every shape of a record. An array has a type for each type of its members; an empty one has the type `[]`. */
export function walkShapes(record: JsonRecord, rules: Rules, visitor: ShapeVisitor): void {
  const { [rules.records ?? ""]: members, ...rest } = record;
  const isNested = rules.records !== undefined && Array.isArray(members);
  walkObject(isNested ? rest : record, "", rules, visitor);
  if (!isNested) return;
  for (const member of members) if (isObject(member)) walkObject(member, "", rules, visitor);
}

function walkObject(object: JsonRecord, place: string, rules: Rules, visitor: ShapeVisitor): void {
  const path = place + tagsOf(object, rules.tags, place === "");
  visitor.visitObject(path);
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (key === ESCROW || (typeof value === "string" && rules.tags.includes(key))) continue;
    if (isFree(path, key, rules)) {
      visitor.visitField(path, key, ANY);
      continue;
    }
    const isEnum = rules.enums.includes(key);
    const visit = (type: string) => visitor.visitField(path, key, type);
    walkValue(value, { path: `${path}.${key}`, suffix: "", isEnum, visit, rules, visitor });
  }
}

function isFree(path: string, key: string, { free }: Rules): boolean {
  return free.some((name) => (name.includes(".") ? `${path}.${key}`.endsWith(name) : name === key));
}

interface Step {
  path: string;
  /** The `[]` of the arrays around the value. */
  suffix: string;
  isEnum: boolean;
  visit(type: string): boolean;
  rules: Rules;
  visitor: ShapeVisitor;
}

function walkValue(value: unknown, step: Step): void {
  const { path, suffix, visit } = step;
  if (Array.isArray(value) && value.length > 0) {
    for (const member of value) walkValue(member, { ...step, path: `${path}[]`, suffix: `${suffix}[]` });
    return;
  }
  const goesOn = visit(`${typeOf(value, step.isEnum)}${suffix}`);
  if (goesOn && isObject(value) && path.length < LONGEST_PATH)
    walkObject(value, path, step.rules, step.visitor);
}

function typeOf(value: unknown, isEnum: boolean): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "[]";
  return isEnum && typeof value === "string" && isSafeValue(value) ? `"${value}"` : typeof value;
}

/** `<message/assistant>`; a record without tags is `<>`. */
function tagsOf(object: JsonRecord, tags: readonly string[], isRecord: boolean): string {
  const values = tags.flatMap((tag) => {
    const value = object[tag];
    return typeof value === "string" ? (isSafeValue(value) ? value : "{value}") : [];
  });
  return values.length > 0 || isRecord ? `<${values.join("/")}>` : "";
}
