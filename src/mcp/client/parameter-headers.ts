import { isObject, type JsonObject } from "../../core/json/value.js";
import { encodeHeaderValue } from "../header-value.js";
import { HEADERS } from "../protocol.js";

/** A parameter of a tool that a modern HTTP request repeats in a header. */
export interface ParameterHeader {
  name: string;
  /** The keys that lead to the parameter in the arguments. */
  path: readonly string[];
}

const MARK = "x-mcp-header";
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: readonly unknown[] = ["string", "integer", "boolean"];

/**
 * The parameters that a tool's schema marks with `x-mcp-header`, or why the marks are invalid. A mark is allowed only on
 * properties of an object and of the objects in it.
 */
export function parameterHeaders(schema: JsonObject): { headers: ParameterHeader[] } | { problem: string } {
  const headers: ParameterHeader[] = [];
  const problem = visit(schema, [], true, headers);
  return problem === undefined ? { headers } : { problem };
}

function visit(
  node: unknown,
  path: readonly string[],
  isProperty: boolean,
  found: ParameterHeader[],
): string | undefined {
  if (Array.isArray(node)) return firstOf(node, (member) => visit(member, path, false, found));
  if (!isObject(node)) return undefined;
  if (MARK in node) {
    const problem = problemOf(node, path, isProperty, found);
    if (problem !== undefined) return problem;
    found.push({ name: String(node[MARK]), path });
  }
  return firstOf(Object.entries(node), ([key, value]) => {
    if (key === MARK || key === "default" || key === "enum" || key === "const" || key === "examples")
      return undefined;
    if (key !== "properties" || !isObject(value)) return visit(value, [...path, key], false, found);
    return firstOf(Object.entries(value), ([name, schema]) =>
      visit(schema, [...path, name], isProperty, found),
    );
  });
}

function problemOf(
  node: JsonObject,
  path: readonly string[],
  isProperty: boolean,
  found: readonly ParameterHeader[],
): string | undefined {
  const mark = node[MARK];
  const where = path.join(".") || "the schema";
  if (!isProperty || path.length === 0) return `${where}: ${MARK} is allowed only on properties`;
  if (typeof mark !== "string" || !TOKEN.test(mark)) return `${where}: ${MARK} is not the name of a header`;
  if (!TYPES.includes(node["type"]))
    return `${where}: ${MARK} is allowed only on strings, integers and booleans`;
  const isTaken = found.some(({ name }) => name.toLowerCase() === mark.toLowerCase());
  return isTaken ? `${where}: another parameter has the same ${MARK}` : undefined;
}

function firstOf<T, R>(values: readonly T[], find: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The headers for a call. A parameter that is missing or null has none. */
export function headersFor(headers: readonly ParameterHeader[], args: JsonObject): Record<string, string> {
  const entries = headers.flatMap(({ name, path }) => {
    const value = path.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), args);
    const isPrimitive =
      typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value);
    return isPrimitive ? [[`${HEADERS.parameter}${name}`, encodeHeaderValue(String(value))] as const] : [];
  });
  return Object.fromEntries(entries);
}
