import * as Type from "@sinclair/typebox";
import { AnyObject, named } from "./build.js";

const media = (type: "image" | "audio") =>
  Type.Object({
    type: Type.Literal(type),
    source: Type.Object({ type: Type.Literal("url"), url: Type.String() }),
  });

const fields = {
  role: Type.Unsafe<"user" | "assistant" | "tool" | "system">({
    enum: ["user", "assistant", "tool", "system"],
  }),
  content: Type.Array(
    Type.Union([
      Type.Object({ type: Type.Literal("text"), text: Type.String() }),
      media("image"),
      media("audio"),
    ]),
  ),
  toolCall: Type.Optional(Type.Object({ id: Type.String(), name: Type.String(), arguments: AnyObject })),
  toolResult: Type.Optional(
    Type.Object({
      toolCallId: Type.String(),
      output: Type.Optional(Type.String()),
      error: Type.Optional(Type.String()),
      isPending: Type.Optional(Type.Boolean()),
    }),
  ),
};

/** A message as OpenClaw passes it to an agent. */
export const AgentSessionMessage = named(
  "AgentSessionMessage",
  Type.Object({ ...fields, timestamp: Type.Optional(Type.Number()), metadata: Type.Optional(AnyObject) }),
);

/** A line of an OpenClaw session file. */
export const SessionTurn = named(
  "SessionTurn",
  Type.Object({
    ...fields,
    timestamp: Type.Number(),
    mediaUrls: Type.Optional(Type.Array(Type.String())),
    metadata: Type.Optional(
      Type.Object({
        channel: Type.Optional(Type.String()),
        peerId: Type.Optional(Type.String()),
        messageId: Type.Optional(Type.String()),
        reasoning: Type.Optional(Type.String()),
      }),
    ),
    _compacted: Type.Optional(Type.Boolean()),
  }),
);
