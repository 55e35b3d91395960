import { isObject } from "../../src/core/json/value.js";

const KEYWORDS = [
  "type",
  "format",
  "title",
  "description",
  "nullable",
  "enum",
  "items",
  "minItems",
  "maxItems",
  "properties",
  "required",
  "minProperties",
  "maxProperties",
  "minLength",
  "maxLength",
  "pattern",
  "minimum",
  "maximum",
  "anyOf",
  "propertyOrdering",
];

const TYPES = ["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"];

export function* unknownName(value: object, known: readonly string[], at: string): Generator<string> {
  for (const name of Object.keys(value)) {
    const place = at === "" ? "" : ` at '${at}'`;
    if (!known.includes(name))
      yield `Invalid JSON payload received. Unknown name "${name}"${place}: Cannot find field.`;
  }
}

/** What the older `parameters` field does not take. */
export function* schemaComplaints(schema: unknown, at: string): Generator<string> {
  if (!isObject(schema)) return yield `Invalid value at '${at}'`;
  yield* unknownName(schema, KEYWORDS, at);
  const { type, anyOf, items, properties, required, enum: values, format } = schema;
  const name = String(type).toUpperCase();
  if (Array.isArray(type)) yield `Proto field is not repeating, cannot start list. at '${at}.type'`;
  if (anyOf !== undefined && Object.keys(schema).length > 1)
    yield `* ${at}: When using any_of, it must be the only field set.`;
  if (anyOf === undefined && !TYPES.includes(name))
    yield `* ${at}: schema didn't specify the schema type field.`;
  if (values !== undefined && name !== "STRING") yield `* ${at}.enum: only allowed for STRING type`;
  if (Array.isArray(values) && (values.length === 0 || values.includes("")))
    yield `* ${at}.enum: cannot be empty`;
  if (format !== undefined && name === "STRING" && format !== "date-time" && format !== "enum") {
    yield `* ${at}.format: only 'enum' and 'date-time' are supported for STRING type`;
  }
  if (name === "ARRAY" && items === undefined) yield `* ${at}.items: missing field.`;
  if (isObject(properties) && Object.keys(properties).length === 0)
    yield `* ${at}.properties: should be non-empty for OBJECT type`;
  for (const one of Array.isArray(required) ? required : []) {
    if (!isObject(properties) || properties[one] === undefined)
      yield `* ${at}.required: property is not defined: ${one}`;
  }
  if (items !== undefined) yield* schemaComplaints(items, `${at}.items`);
  for (const [index, one] of (Array.isArray(anyOf) ? anyOf : []).entries())
    yield* schemaComplaints(one, `${at}.any_of[${index}]`);
  for (const [key, one] of Object.entries(isObject(properties) ? properties : {})) {
    yield* schemaComplaints(one, `${at}.properties[${key}]`);
  }
}
