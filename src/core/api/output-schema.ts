import { joinPointer } from "../json/pointer.js";
import { isObject, type JsonObject } from "../json/value.js";
import type { Loss } from "../types.js";

type Report = (loss: Loss) => void;

/** The keywords that the API accepts in an output schema; it refuses requests with others. */
const KEPT = new Set([
  ...["type", "title", "description", "enum", "const", "default", "$ref", "$defs", "definitions", "$schema"],
  ...["properties", "required", "additionalProperties", "items", "anyOf", "allOf", "oneOf"],
  ...["$id", "$comment"],
]);

const FORMATS = ["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];

/**
 * A schema that the API accepts for structured output. Objects allow no additional properties, `oneOf` becomes `anyOf`,
 * and unsupported keywords are left out. Changes that affect the meaning are reported.
 */
export function fitOutputSchema(schema: JsonObject, report: Report): JsonObject {
  return fitSchema(schema, "/options/output/schema", report);
}

function fitSchema(schema: JsonObject, at: string, report: Report): JsonObject {
  const fitted: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (isKept(keyword, value))
      fitted[keyword === "oneOf" ? "anyOf" : keyword] = fitKeyword(keyword, value, at, report);
    else
      report(
        keywordLoss(at, keyword, "dropped", "this API does not support the keyword in an output schema"),
      );
  }
  const isObjectSchema = schema["type"] === "object" || isObject(schema["properties"]);
  if (!isObjectSchema || schema["additionalProperties"] === false) return fitted;
  if (schema["additionalProperties"] !== undefined) {
    report(
      keywordLoss(at, "additionalProperties", "approximated", "this API allows no additional properties"),
    );
  }
  return { ...fitted, additionalProperties: false };
}

function isKept(keyword: string, value: unknown): boolean {
  if (keyword === "format") return FORMATS.some((format) => format === value);
  if (keyword === "minItems") return value === 0 || value === 1;
  return KEPT.has(keyword);
}

function fitKeyword(keyword: string, value: unknown, at: string, report: Report): unknown {
  const place = joinPointer(at, keyword);
  switch (keyword) {
    case "properties":
    case "$defs":
    case "definitions":
      if (!isObject(value)) return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name,
          fitInner(inner, joinPointer(place, name), report),
        ]),
      );
    case "anyOf":
    case "oneOf":
    case "allOf":
      if (!Array.isArray(value)) return value;
      return value.map((inner: unknown, index) => fitInner(inner, joinPointer(place, index), report));
    case "items":
      return fitInner(value, place, report);
    default:
      return value;
  }
}

function fitInner(schema: unknown, at: string, report: Report): unknown {
  return isObject(schema) ? fitSchema(schema, at, report) : schema;
}

function keywordLoss(at: string, keyword: string, severity: Loss["severity"], why: string): Loss {
  return { at: joinPointer(at, keyword), what: `"${keyword}" in the output schema`, why, severity };
}
