import { isObject, type JsonObject } from "../../core/json/value.js";

/**
 * A JSON Schema in the words of the older `parameters` field, which refuses a whole request for one keyword it does
 * not know. References are put in place, unions and `null` become `anyOf` and `nullable`, `const` becomes `enum`; what
 * cannot be said is left out. Every schema in the schema is treated so, also those in arrays such as `anyOf`.
 *
 * @example
 * cleanSchema({ type: ["string", "null"], const: "a", $comment: "…" }); // { type: "string", nullable: true, enum: ["a"] }
 */
export function cleanSchema(schema: unknown): JsonObject {
  return clean(schema, { root: schema, open: [] });
}

interface Scope {
  /** What references are resolved in. */
  root: unknown;
  /** The references that led here: one that comes again would never end. */
  open: readonly string[];
}

/** Keywords that mean the same in both. Those with schemas in them are handled one by one. */
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
  if (typeof schema["$ref"] === "string") return follow(schema["$ref"], schema, scope);
  if (Array.isArray(schema["allOf"])) return clean(merged(schema, scope), scope);
  const values = valuesOf(schema);
  const { types, nullable } = typesOf(schema, values);
  const members = membersOf(schema, types);
  if (members !== undefined) return cleanUnion(members, schema, nullable, scope);
  const result: JsonObject = {};
  for (const key of PLAIN) if (schema[key] !== undefined) result[key] = schema[key];
  const type = types[0] ?? impliedType(schema, values);
  return { ...result, ...(nullable ? { nullable } : {}), type, ...cleanType(type, schema, values, scope) };
}

/** The members of a union. One beside properties only says which of them belong together; Google has no word for it. */
function membersOf(schema: JsonObject, types: readonly string[]): unknown[] | undefined {
  const union = [schema["anyOf"], schema["oneOf"]].find(Array.isArray);
  if (union !== undefined && !isObject(schema["properties"])) return union.map((one) => inherit(one, types));
  if (types.length < 2) return undefined;
  const { title: _, description: _description, ...rest } = schema;
  return types.map((type) => ({ ...rest, type }));
}

/** A member that does not say its type has that of the union. */
function inherit(member: unknown, [type, ...others]: readonly string[]): unknown {
  const says = ["type", "$ref", "anyOf", "oneOf", "allOf", "properties", "items", "enum", "const"];
  if (!isObject(member) || type === undefined || others.length > 0) return member;
  return says.some((key) => member[key] !== undefined) ? member : { ...member, type };
}

/** What `$ref` leads to inside the schema, with what stands beside the reference. */
function follow(reference: string, { $ref: _, ...beside }: JsonObject, scope: Scope): JsonObject {
  const target = scope.open.includes(reference) ? undefined : resolve(scope.root, reference);
  // A schema within itself has no end: its inner copy is any object.
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

/** References stand in a URL, so what is special there is escaped: `#/$defs/List%3Cint%3E`. */
function plainToken(token: string): string {
  return token
    .replace(/%([0-7][0-9a-fA-F])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
}

/** All of `allOf` in one: properties and required ones add up, otherwise the later one counts. */
function merged({ allOf, ...schema }: JsonObject, scope: Scope): JsonObject {
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

/** Google wants a type everywhere; a schema often says it only by its other keywords. */
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

/** Only strings can be listed; of other values the description tells. */
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

/** A list of schemas, one for each place, is taken as any of them at every place. */
function cleanItems({ items, prefixItems }: JsonObject, scope: Scope): JsonObject {
  const places = [prefixItems, items].find(Array.isArray);
  if (places === undefined) return clean(items, scope);
  return clean(places.length === 1 ? places[0] : { anyOf: places }, scope);
}

/**
 * `null` among the members is `nullable`; a single one that is left stands for the union. Google takes nothing beside
 * `anyOf`, so what is said of the union is said of each member.
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
