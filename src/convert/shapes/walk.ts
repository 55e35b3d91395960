import { ESCROW, type JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import type { KnownShapes } from "../../core/records/known-shapes.js";
import { isSafeValue } from "./safe-name.js";

export interface ShapeVisitor {
  /** An object, by its path: `<user>.message<user>`, and the path of the object that contains it. */
  visitObject(path: string, parent?: string): void;
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
  const members = rules.records === undefined ? undefined : record[rules.records];
  const records = Array.isArray(members)
    ? [without(record, rules.records), ...members.filter(isObject)]
    : [record];
  for (const each of records) walkObject(each, { at: "" }, rules, visitor);
}

function without(record: JsonRecord, field: string | undefined): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== field));
}

interface Place {
  at: string;
  /** The path of the object that contains it; undefined for a record. */
  parent?: string;
}

function walkObject(object: JsonRecord, { at, parent }: Place, rules: Rules, visitor: ShapeVisitor): void {
  const path = at + tagsOf(object, rules.tags, parent === undefined);
  visitor.visitObject(path, parent);
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (key === ESCROW || (typeof value === "string" && rules.tags.includes(key))) continue;
    if (isFree(path, key, rules)) {
      visitor.visitField(path, key, ANY);
      continue;
    }
    const isEnum = rules.enums.includes(key);
    const visit = oncePerType((type) => visitor.visitField(path, key, type));
    walkValue(value, { at: `${path}.${key}`, parent: path, suffix: "", isEnum, visit, rules, visitor });
  }
}

/** Members of an array that have the same type are one visit. */
function oncePerType(visit: (type: string) => boolean): (type: string) => boolean {
  const visited = new Map<string, boolean>();
  return (type) => {
    const isExamined = visited.get(type) ?? visit(type);
    visited.set(type, isExamined);
    return isExamined;
  };
}

function isFree(path: string, key: string, { free }: Rules): boolean {
  return free.some((name) => name === key || (name.endsWith(`.${key}`) && `${path}.${key}`.endsWith(name)));
}

interface Step extends Required<Place> {
  /** The `[]` of the arrays around the value. */
  suffix: string;
  isEnum: boolean;
  visit(type: string): boolean;
  rules: Rules;
  visitor: ShapeVisitor;
}

function walkValue(value: unknown, step: Step): void {
  const { at, parent, suffix, visit } = step;
  if (Array.isArray(value) && value.length > 0) {
    for (const member of value) walkValue(member, { ...step, at: `${at}[]`, suffix: `${suffix}[]` });
    return;
  }
  const isExamined = visit(`${typeOf(value, step.isEnum)}${suffix}`);
  if (isExamined && isObject(value) && at.length < LONGEST_PATH)
    walkObject(value, { at, parent }, step.rules, step.visitor);
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
