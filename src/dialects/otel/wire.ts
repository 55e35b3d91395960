import { isObject, type JsonObject } from "../../core/json/value.js";

export const NAME = "otel";

/**
 * The attributes of a span that follows the GenAI semantic conventions of OpenTelemetry. The lists are arrays, or texts of
 * JSON arrays where a span cannot have structured attributes.
 *
 *     { "gen_ai.system_instructions": [ part ], "gen_ai.input.messages": [ { role, parts: [ part ] } ],
 *       "gen_ai.output.messages": [ { role, parts, finish_reason } ], … }
 *
 * They are the document, or are in its field `attributes`. A document can also be a list of messages alone.
 */
export const SYSTEM = "gen_ai.system_instructions";
export const INPUT = "gen_ai.input.messages";
export const OUTPUT = "gen_ai.output.messages";
export const LISTS = [SYSTEM, INPUT, OUTPUT] as const;
export type ListKey = (typeof LISTS)[number];

export const CONVERSATION = "gen_ai.conversation.id";
export const AGENT = "gen_ai.agent.name";
export const PROVIDER = "gen_ai.provider.name";
export const REQUEST_MODEL = "gen_ai.request.model";
export const RESPONSE_MODEL = "gen_ai.response.model";
export const FINISH_REASONS = "gen_ai.response.finish_reasons";
export const INPUT_TOKENS = "gen_ai.usage.input_tokens";
export const OUTPUT_TOKENS = "gen_ai.usage.output_tokens";
export const CACHE_READ = "gen_ai.usage.cache_read.input_tokens";
export const CACHE_WRITE = "gen_ai.usage.cache_creation.input_tokens";

/** The attributes in a document: the document itself, or those of a span. */
export function attributesOf(record: JsonObject): JsonObject {
  const { attributes } = record;
  return isObject(attributes) && !hasList(record) ? attributes : record;
}

export function hasList(record: JsonObject): boolean {
  return LISTS.some((key) => Object.hasOwn(record, key));
}

/** The hint for documents that are not the attributes of one span. */
export const SELECT_SPAN =
  "OTLP exports are not supported: select one span, and write its attributes as an object of names and values";

/** What we write for an unknown finish reason in the output, where the schema requires one. */
export const UNKNOWN_REASON = "unknown";

/** The role that a message with this role is read as. */
export function plainRole(role: unknown): unknown {
  return role === "developer" ? "system" : role;
}

/** The type of a message with a role that the model does not have: `otel/ROLE`. */
const OWN_PREFIX = `${NAME}/`;

export function typeOfRole(role: string): string {
  return `${OWN_PREFIX}${role}`;
}

export function roleOfType(customType: string): string | undefined {
  return customType.startsWith(OWN_PREFIX) ? customType.slice(OWN_PREFIX.length) : undefined;
}

/* A list of messages alone is read as the input of a span. JSON omits symbols. */
const BARE = Symbol("bare");

export function markBare(record: JsonObject): JsonObject {
  return Object.assign(record, { [BARE]: true });
}

export function isBare(record: JsonObject & { [BARE]?: boolean }): boolean {
  return record[BARE] === true;
}
