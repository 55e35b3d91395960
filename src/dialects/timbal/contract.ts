import { isObject } from "../../core/json/value.js";

/** What a field's value must be. */
export type FieldType = "text" | "object" | "boolean" | "text or object" | "anything";

interface TypeContract {
  required: Readonly<Record<string, FieldType>>;
  optional?: Readonly<Record<string, FieldType>>;
}

const content = { content: "text" } as const;

/** The fields of each type of Timbal Messages/1.0. `sender` is an optional text in all of them. */
const contracts = new Map<string, TypeContract>([
  ["user", { required: content }],
  ["agent", { required: content }],
  ["thinking", { required: content }],
  ["tool_call", { required: { toolCallId: "text", name: "text", arguments: "object" } }],
  ["tool_result", { required: { toolCallId: "text", status: "text" } }],
  ["status", { required: { state: "text" }, optional: { detail: "text" } }],
  ["error", { required: content, optional: { code: "text", recoverable: "boolean" } }],
  ["agent_complete", { required: { agentId: "text", result: "anything" } }],
  [
    "agent_message",
    { required: { senderId: "text", payload: "text or object" }, optional: { replyTo: "text" } },
  ],
]);

/** The contract of a type; of a custom type only the sender is known. */
export function contractOf(type: string): Required<TypeContract> {
  const { required = {}, optional = {} } = contracts.get(type) ?? {};
  return { required, optional: { ...optional, sender: "text" } };
}

/** For messages. */
export const describedTypes: Record<FieldType, string> = {
  text: "a text",
  object: "an object",
  boolean: "true or false",
  "text or object": "a text or an object",
  anything: "a value",
};

export function isOfType(value: unknown, type: FieldType): boolean {
  switch (type) {
    case "text":
      return typeof value === "string";
    case "object":
      return isObject(value);
    case "boolean":
      return typeof value === "boolean";
    case "text or object":
      return typeof value === "string" || isObject(value);
    case "anything":
      return true;
  }
}
