import * as Type from "@sinclair/typebox";
import { ToolCall } from "./blocks.js";
import { named, ref, tagged } from "./build.js";

const text = Type.String();
const fieldValue = Type.Union([text, Type.Number(), Type.Boolean(), Type.Array(text)]);

/** A question during a call: an MCP server's form for the user, a page to open, or what the client's own tool has returned. */
export const Question = named(
  "Question",
  Type.Object({
    server: text,
    message: text,
    /** Empty for a question that is only accepted or declined. */
    fields: Type.Array(
      Type.Object({
        name: text,
        title: text,
        description: Type.Optional(text),
        /** One of `options` is a `choice`, several are `choices`. */
        type: Type.Unsafe<"text" | "number" | "integer" | "boolean" | "choice" | "choices">({
          enum: ["text", "number", "integer", "boolean", "choice", "choices"],
        }),
        options: Type.Optional(Type.Array(Type.Object({ value: text, title: text }))),
        required: Type.Boolean(),
        default: Type.Optional(fieldValue),
      }),
    ),
    /** The page that the user should open. */
    url: Type.Optional(text),
    /** The client that sent the message runs the call, and `result` of the form is what it returned. */
    asksResult: Type.Optional(Type.Literal(true)),
  }),
);

/** `once` allows this call, `session` also later ones with the same subject, `never` denies it. */
export const PermissionAnswer = Type.Unsafe<"once" | "session" | "never">({
  enum: ["once", "session", "never"],
});

/** A step in the life of a permission request, as the session's log records it. */
export const QuestionNote = named(
  "QuestionNote",
  tagged("state", [
    Type.Object({
      state: Type.Literal("asked"),
      id: text,
      /** The session it belongs to: in a copy of the session the note has no effect. */
      session: text,
      toolCall: ref(ToolCall),
      /** The call's path or command. */
      subject: Type.Optional(text),
      question: Type.Optional(ref(Question)),
      /** Unix milliseconds. */
      expires: Type.Number(),
      /** Whether another process can run the call after the answer; absent if the process that asked has to run it. */
      resumable: Type.Optional(Type.Literal(true)),
    }),
    Type.Object({
      state: Type.Literal("answered"),
      id: text,
      answer: PermissionAnswer,
      /** The token, channel account or program that answered. */
      by: Type.Optional(text),
      /** The result of a client's tool. The values of other forms are not stored. */
      values: Type.Optional(Type.Record(text, fieldValue)),
    }),
    Type.Object({ state: Type.Literal("expired"), id: text }),
    Type.Object({ state: Type.Literal("withdrawn"), id: text }),
    /** The calls that these requests were about begin to run, or are refused: from here on they are not repeated. */
    Type.Object({ state: Type.Literal("started"), ids: Type.Array(text) }),
  ]),
);
