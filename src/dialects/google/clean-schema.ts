import { isObject, type JsonObject } from "../../core/json/value.js";

/**
 * A JSON Schema in the form of the older `parameters` field, where one unknown keyword makes Google refuse the request.
 * References are inlined, unions become `anyOf`, `null` becomes `nullable`, and `const` becomes `enum`; other keywords are
 * left out. This applies to all nested schemas, including those in arrays such as `anyOf`.
 *
 * @example
 * cleanSchema({ type: ["string", "null"], const: "a", $comment: "…" }); // { type: "string", nullable: true, enum: ["a"] }
 */
export function cleanSchema(schema: unknown): JsonObject {
  return clean(schema, { root: schema, open: [] });
}

interface Scope {
  /** The schema in which references are resolved. */
  root: unknown;
  /** The references followed so far, to detect cycles. */
  open: readonly string[];
}

/** Keywords that mean the same in both. Keywords that contain schemas are handled one by one. */
export const PLAIN = [
  "title",
  "description",
  "nullable",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "pattern",
  "minimum",
  "maximum",
  "minProperties",
  "maxProperties",
] as const;

const TYPES = new Set(["string", "number", "integer", "boolean", "array", "object"]);

export const FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ["date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
};

function clean(schema: unknown, scope: Scope): JsonObject {
  if (!isObject(schema)) return { type: "string" };
  if (typeof schema["$ref"] === "string") return followReference(schema["$ref"], schema, scope);
  if (Array.isArray(schema["allOf"])) return clean(mergeAllOf(schema, scope), scope);
  const values = valuesOf(schema);
  const { types, nullable } = typesOf(schema, values);
  const members = membersOf(schema, types);
  if (members !== undefined) return cleanUnion(members, schema, nullable, scope);
  const result: JsonObject = {};
  for (const key of PLAIN) if (schema[key] !== undefined) result[key] = schema[key];
  const type = types[0] ?? impliedType(schema, values);
  return { ...result, ...(nullable ? { nullable } : {}), type, ...cleanType(type, schema, values, scope) };
}

/** The members of a union. A union beside `properties` only groups them, which Google cannot represent. */
function membersOf(schema: JsonObject, types: readonly string[]): unknown[] | undefined {
  const union = [schema["anyOf"], schema["oneOf"]].find(Array.isArray);
  if (union !== undefined && !isObject(schema["properties"]))
    return union.map((one) => inheritType(one, types));
  if (types.length < 2) return undefined;
  const { title: _, description: _description, ...rest } = schema;
  return types.map((type) => ({ ...rest, type }));
}

/** A member without a type gets the union's type. */
function inheritType(member: unknown, [type, ...others]: readonly string[]): unknown {
  const typed = ["type", "$ref", "anyOf", "oneOf", "allOf", "properties", "items", "enum", "const"];
  if (!isObject(member) || type === undefined || others.length > 0) return member;
  return typed.some((key) => member[key] !== undefined) ? member : { ...member, type };
}

/** The schema that `$ref` points to, merged with the keywords beside the reference. */
function followReference(reference: string, { $ref: _, ...beside }: JsonObject, scope: Scope): JsonObject {
  const target = scope.open.includes(reference) ? undefined : resolve(scope.root, reference);
  // A recursive schema would never end, so its inner copy is any object.
  if (!isObject(target)) return clean({ type: "object", ...beside }, scope);
  return clean({ ...target, ...beside }, { ...scope, open: [...scope.open, reference] });
}

function resolve(root: unknown, reference: string): unknown {
  if (!reference.startsWith("#")) return undefined;
  let found = root;
  for (const token of reference.split("/").slice(1)) {
    const key = plainToken(token);
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}

/** References are URL fragments, so special characters are escaped: `#/$defs/List%3Cint%3E`. */
function plainToken(token: string): string {
  return token
    .replace(/%([0-7][0-9a-fA-F])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
}

/** Merges `allOf` into one schema: joins `properties` and `required`; of other keywords, the last value counts. */
function mergeAllOf({ allOf, ...schema }: JsonObject, scope: Scope): JsonObject {
  const members = [...(Array.isArray(allOf) ? allOf : []), schema].filter(isObject).map((member) => {
    const isPlain = member["$ref"] === undefined && member["allOf"] === undefined;
    return isPlain ? member : clean(member, scope);
  });
  const all: JsonObject = Object.assign({}, ...members);
  const properties = members.map((member) => member["properties"]).filter(isObject);
  if (properties.length > 0) all["properties"] = Object.assign({}, ...properties);
  const required = members.flatMap((member) => member["required"] ?? []);
  if (required.length > 0) all["required"] = [...new Set(required)];
  return all;
}

function valuesOf({ const: only, enum: several }: JsonObject): unknown[] | undefined {
  if (only !== undefined) return [only];
  return Array.isArray(several) ? several : undefined;
}

function typesOf({ type }: JsonObject, values: unknown[] | undefined) {
  const named = (Array.isArray(type) ? type : [type]).flatMap((one) =>
    typeof one === "string" ? [one.toLowerCase()] : [],
  );
  return {
    types: named.filter((one) => TYPES.has(one)),
    nullable: named.includes("null") || values?.includes(null) === true,
  };
}

/** Google requires a type everywhere; many schemas imply it by other keywords. */
function impliedType(schema: JsonObject, values: unknown[] | undefined): string {
  if (isObject(schema["properties"])) return "object";
  if (schema["items"] !== undefined || schema["prefixItems"] !== undefined) return "array";
  const value = values?.find((one) => one !== null);
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "boolean" ? "boolean" : "string";
}

function cleanType(
  type: string,
  schema: JsonObject,
  values: unknown[] | undefined,
  scope: Scope,
): JsonObject {
  const format = FORMATS[type]?.find((known) => known === schema["format"]);
  return {
    ...(format === undefined ? {} : { format }),
    ...(values === undefined ? {} : cleanValues(values, type, schema)),
    ...(type === "object" ? cleanObject(schema, scope) : {}),
    ...(type === "array" ? { items: cleanItems(schema, scope) } : {}),
  };
}

/** Only strings can be in `enum`; other values are listed in the description. */
function cleanValues(values: unknown[], type: string, { description }: JsonObject): JsonObject {
  const given = values.filter((value) => value !== null && value !== "");
  if (given.length === 0) return {};
  if (type === "string" && given.every((value) => typeof value === "string")) return { enum: given };
  const list = `One of ${given.map((value) => JSON.stringify(value)).join(", ")}.`;
  return { description: typeof description === "string" ? `${description} ${list}` : list };
}

function cleanObject({ properties, required, propertyOrdering }: JsonObject, scope: Scope): JsonObject {
  if (!isObject(properties) || Object.keys(properties).length === 0) return {};
  const cleaned = Object.entries(properties).map(([name, schema]) => [name, clean(schema, scope)] as const);
  const known = (names: unknown) =>
    Array.isArray(names)
      ? names.filter((name) => typeof name === "string" && Object.hasOwn(properties, name))
      : [];
  const [needed, ordering] = [known(required), known(propertyOrdering)];
  return {
    properties: Object.fromEntries(cleaned),
    ...(needed.length === 0 ? {} : { required: needed }),
    ...(ordering.length === 0 ? {} : { propertyOrdering: ordering }),
  };
}

/** A list with one schema per position becomes a union for every position. */
function cleanItems({ items, prefixItems }: JsonObject, scope: Scope): JsonObject {
  const places = [prefixItems, items].find(Array.isArray);
  if (places === undefined) return clean(items, scope);
  return clean(places.length === 1 ? places[0] : { anyOf: places }, scope);
}

/**
 * A `null` member becomes `nullable`; a single remaining member replaces the union. Google accepts no keywords beside
 * `anyOf`, so the union's title and description are copied to each member.
 */
function cleanUnion(
  members: unknown[],
  { title, description }: JsonObject,
  nullable: boolean,
  scope: Scope,
): JsonObject {
  const given = members.filter((member) => !isObject(member) || member["type"] !== "null");
  const isNullable = nullable || given.length < members.length;
  const about = {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
  const cleaned = given.map((member) => ({
    ...about,
    ...clean(member, scope),
    ...(isNullable ? { nullable: true } : {}),
  }));
  const [only, ...others] = cleaned;
  if (only === undefined) return { ...about, type: "string", ...(isNullable ? { nullable: true } : {}) };
  return others.length === 0 ? { ...only, ...about } : { anyOf: cleaned };
}
