import * as Type from "@sinclair/typebox";

/** The form of an answer: any JSON, or JSON that fits a schema. */
export const Output = Type.Union([
  Type.Literal("json"),
  Type.Object(
    {
      /** A JSON Schema. */
      schema: Type.Record(Type.String(), Type.Unknown()),
      name: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
      /** Whether OpenAI must enforce the schema (default: if it follows OpenAI's rules). */
      strict: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
]);
