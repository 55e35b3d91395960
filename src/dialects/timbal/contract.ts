import { isBoolean, isObject, isString } from "../../core/json/value.js";

interface FieldType {
  /** For messages. */
  described: string;
  fits(value: unknown): boolean;
}

const text: FieldType = { described: "a text", fits: isString };
const object: FieldType = { described: "an object", fits: isObject };
const boolean: FieldType = { described: "true or false", fits: isBoolean };
const anything: FieldType = { described: "a value", fits: () => true };
export const payloadType: FieldType = {
  described: "a text or an object",
  fits: (value) => isString(value) || isObject(value),
};

type Fields = Readonly<Record<string, FieldType>>;

interface TypeContract {
  required: Fields;
  optional?: Fields;
}

/** The fields of each type of Timbal Messages/1.0. `sender` is an optional text in all of them. */
const contracts = new Map<string, TypeContract>([
  ["user", { required: { content: text } }],
  ["agent", { required: { content: text } }],
  ["thinking", { required: { content: text } }],
  ["tool_call", { required: { toolCallId: text, name: text, arguments: object } }],
  ["tool_result", { required: { toolCallId: text, status: text } }],
  ["status", { required: { state: text }, optional: { detail: text } }],
  ["error", { required: { content: text }, optional: { code: text, recoverable: boolean } }],
  ["agent_complete", { required: { agentId: text, result: anything } }],
  ["agent_message", { required: { senderId: text, payload: payloadType }, optional: { replyTo: text } }],
]);

/** Whether this is a type of Timbal Messages/1.0. */
export function isStandardType(type: string): boolean {
  return contracts.has(type);
}

/** A type's contract. For a custom type only the sender is known. */
export function contractOf(type: string): Required<TypeContract> {
  const { required = {}, optional = {} } = contracts.get(type) ?? {};
  return { required, optional: { ...optional, sender: text } };
}
