import { DragomanError } from "../error.js";
import { isBoolean, isNumber, isObject, isString, type JsonObject } from "../json/value.js";
import type { Question } from "../types.js";

export type QuestionField = Question["fields"][number];
export type FieldValue = NonNullable<QuestionField["default"]>;

/** The values of a form, by the names of its fields. */
export type FormContent = Record<string, FieldValue>;

/**
 * The fields of a form in the restricted JSON Schema of the protocol: properties of primitive types, and lists of fixed texts.
 * Undefined if the schema has others.
 */
export function fieldsOf(
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[],
): QuestionField[] | undefined {
  const fields: QuestionField[] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const kind = kindOf(schema);
    if (kind === undefined) return undefined;
    const { title, description, default: preset } = schema;
    const field: QuestionField = {
      name,
      title: isString(title) ? title : name,
      ...(isString(description) ? { description } : {}),
      ...kind,
      required: required.includes(name),
    };
    const usable = fittingValue(field, preset);
    fields.push(usable === undefined ? field : { ...field, default: usable });
  }
  return fields;
}

function kindOf(schema: JsonObject): Pick<QuestionField, "type" | "options"> | undefined {
  const { type, items } = schema;
  if (type === "array") {
    const options = isObject(items) ? optionsOf(items) : undefined;
    return options === undefined ? undefined : { type: "choices", options };
  }
  if (type === "string") {
    const options = optionsOf(schema);
    return options === undefined ? { type: "text" } : { type: "choice", options };
  }
  return type === "number" || type === "integer" || type === "boolean" ? { type } : undefined;
}

/** `enum` with titles in `enumNames`, or `oneOf` and `anyOf` of constants with titles. */
function optionsOf({ enum: values, enumNames, oneOf, anyOf }: JsonObject): QuestionField["options"] {
  const titles: unknown[] = Array.isArray(enumNames) ? enumNames : [];
  if (Array.isArray(values)) {
    return values.filter(isString).map((value, index) => {
      const title = titles[index];
      return { value, title: isString(title) ? title : value };
    });
  }
  const members: unknown = oneOf ?? anyOf;
  if (!Array.isArray(members)) return undefined;
  return members.flatMap((member: unknown) => {
    if (!isObject(member) || !isString(member["const"])) return [];
    const title = member["title"];
    return [{ value: member["const"], title: isString(title) ? title : member["const"] }];
  });
}

/** The JSON Schema of a form's content, from which `fieldsOf` reads the same fields. */
export function contentSchema({ fields }: Question): JsonObject {
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    required: fields.flatMap(({ name, required }) => (required ? [name] : [])),
  };
}

function fieldSchema({ title, description, type, options = [], default: preset }: QuestionField): JsonObject {
  const constants = options.map((option) => ({ const: option.value, title: option.title }));
  const kinds = {
    text: { type: "string" },
    number: { type },
    integer: { type },
    boolean: { type },
    choice: { type: "string", oneOf: constants },
    choices: { type: "array", items: { anyOf: constants } },
  };
  return {
    title,
    ...(description === undefined ? {} : { description }),
    ...kinds[type],
    ...(preset === undefined ? {} : { default: preset }),
  };
}

/** The question as text, with the page that it asks the user to open. */
export function questionText({ message, url }: Question): string {
  return url === undefined ? message : `${message}\n\nPage to open: ${url}`;
}

/** A form's content: given values, and the defaults of those that are missing. Throws if a value does not fit its field. */
export function checkedContent({ fields }: Question, given: Readonly<JsonObject>): FormContent {
  const content: FormContent = {};
  for (const field of fields) {
    const value = given[field.name];
    const usable = value === undefined ? field.default : fittingValue(field, value);
    if (usable !== undefined) content[field.name] = usable;
    else if (value !== undefined || field.required) throw unsuitable(field);
  }
  return content;
}

function fittingValue({ type, options = [] }: QuestionField, value: unknown): FieldValue | undefined {
  const isOption = (one: unknown): one is string => options.some((option) => option.value === one);
  switch (type) {
    case "text":
      return isString(value) ? value : undefined;
    case "boolean":
      return isBoolean(value) ? value : undefined;
    case "number":
      return isNumber(value) ? value : undefined;
    case "integer":
      return isNumber(value) && Number.isInteger(value) ? value : undefined;
    case "choice":
      return isOption(value) ? value : undefined;
    case "choices":
      return Array.isArray(value) && value.every(isOption) ? value : undefined;
  }
}

function unsuitable(field: QuestionField): DragomanError {
  const { name, title } = field;
  return new DragomanError("model/invalid", `${title}: expected ${expectedIn(field)}`, {
    at: `/content/${name}`,
  });
}

/** What a field accepts: `a whole number`, `one of First, Second`. */
export function expectedIn({ type, options = [] }: QuestionField): string {
  return {
    text: "a text",
    boolean: "yes or no",
    number: "a number",
    integer: "a whole number",
    choice: `one of ${options.map(({ title }) => title).join(", ")}`,
    choices: `some of ${options.map(({ title }) => title).join(", ")}`,
  }[type];
}

/** What a person typed for a field; undefined if it does not fit. */
export function readTyped(field: QuestionField, typed: string): FieldValue | undefined {
  const { type, options = [] } = field;
  const named = (word: string) =>
    options.find(({ value, title }, index) => [value, title, `${index + 1}`].includes(word.trim()))?.value;
  switch (type) {
    case "number":
    case "integer":
      return typed.trim() === "" ? undefined : fittingValue(field, Number(typed));
    case "boolean": {
      const word = typed.trim().toLowerCase();
      if (word === "y" || word === "yes" || word === "true") return true;
      return word === "n" || word === "no" || word === "false" ? false : undefined;
    }
    case "choice":
      return named(typed);
    case "choices":
      return fittingValue(field, typed.split(",").map(named));
    case "text":
      return typed;
  }
}
