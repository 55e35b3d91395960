import * as Type from "@sinclair/typebox";
import { AssistantContent, UserContent } from "./blocks.js";
import { AnyObject, Ext, message, named, ref, tagged } from "./build.js";

const costs = {
  input: Type.Number(),
  output: Type.Number(),
  cacheRead: Type.Number(),
  cacheWrite: Type.Number(),
};

/** Tokens and their cost in dollars. `input` does not include cached tokens. */
export const Usage = named(
  "Usage",
  Type.Object({
    ...costs,
    totalTokens: Type.Number(),
    cost: Type.Object({ ...costs, total: Type.Number() }),
  }),
);

export const StopReason = named(
  "StopReason",
  Type.Unsafe<"stop" | "length" | "toolUse" | "error" | "aborted">({
    enum: ["stop", "length", "toolUse", "error", "aborted"],
  }),
);

const textOrBlocks = Type.Union([Type.String(), Type.Array(ref(UserContent))]);

export const UserMessage = message("user", { content: textOrBlocks });

export const AssistantMessage = message("assistant", {
  content: Type.Array(ref(AssistantContent)),
  api: Type.String(),
  provider: Type.String(),
  model: Type.String(),
  usage: ref(Usage),
  stopReason: ref(StopReason),
  errorMessage: Type.Optional(Type.String()),
});

export const ToolResultMessage = message("toolResult", {
  toolCallId: Type.String(),
  toolName: Type.String(),
  content: Type.Array(ref(UserContent)),
  details: Type.Optional(Type.Unknown()),
  isError: Type.Boolean(),
  /** The tool is still running: a later result with the same `toolCallId` supersedes this one. */
  isPending: Type.Optional(Type.Boolean()),
});

/** The first line of a log: identifies the session. `timestamp` is its creation time. */
export const SessionMessage = message("session", {
  key: Type.Optional(Type.String()),
  agent: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  /** The session this one was forked from or started by, and the last shared message or the call that started it. */
  parent: Type.Optional(
    Type.Object({
      session: Type.String(),
      message: Type.Optional(Type.String()),
      toolCallId: Type.Optional(Type.String()),
    }),
  ),
});

export const SystemMessage = message("system", { content: textOrBlocks });

/** What an agent is doing; not part of the conversation itself. */
export const StatusMessage = message("status", {
  state: Type.String(),
  detail: Type.Optional(Type.String()),
});

/** An error shown to the user, unlike a failed tool call, which the agent handles. */
export const ErrorMessage = message("error", {
  content: Type.String(),
  code: Type.Optional(Type.String()),
  recoverable: Type.Optional(Type.Boolean()),
});

export const AgentCompleteMessage = message("agentComplete", {
  agentId: Type.String(),
  result: Type.Unknown(),
});

export const AgentMessageMessage = message("agentMessage", {
  senderId: Type.String(),
  payload: Type.Unknown(),
  replyTo: Type.Optional(Type.String()),
});

/** For the model, it replaces everything before `firstKeptId`, or before itself. No line is deleted. */
export const CompactionMessage = message("compaction", {
  /** What the model is shown instead; an empty summary is not shown. */
  summary: Type.String(),
  /** The summary is shown without an introduction. */
  verbatim: Type.Optional(Type.Boolean()),
  firstKeptId: Type.Optional(Type.String()),
  /** Earlier messages that are shown again, after the summary and in their own order. */
  keptIds: Type.Optional(Type.Array(Type.String())),
  /** The messages that the model is shown instead of the summary and `keptIds`. */
  replacement: Type.Optional(
    Type.Array(tagged("role", [UserMessage, AssistantMessage, ToolResultMessage, SystemMessage])),
  ),
  tokensBefore: Type.Optional(Type.Number()),
  details: Type.Optional(Type.Unknown()),
});

/** A program's own entry in the conversation: the model is shown `content`, but not `data`. */
export const CustomMessage = message("custom", {
  customType: Type.String(),
  content: Type.Optional(textOrBlocks),
  data: Type.Optional(Type.Unknown()),
});

/** By role. */
export const messageSchemas = {
  user: UserMessage,
  assistant: AssistantMessage,
  toolResult: ToolResultMessage,
  session: SessionMessage,
  system: SystemMessage,
  status: StatusMessage,
  error: ErrorMessage,
  agentComplete: AgentCompleteMessage,
  agentMessage: AgentMessageMessage,
  compaction: CompactionMessage,
  custom: CustomMessage,
};

/** Messages with other roles are added by programs; they may have any fields, but `ext` is always ours. */
export const AgentMessage = named(
  "AgentMessage",
  Type.Unsafe<import("../types.js").AgentMessage>({
    ...AnyObject,
    required: ["role"],
    properties: { role: { type: "string" }, ext: Ext },
    if: { properties: { role: { enum: Object.keys(messageSchemas) } } },
    // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
    then: {
      type: "object",
      required: ["role"],
      discriminator: { propertyName: "role" },
      oneOf: Object.values(messageSchemas).map((schema) => ({ $ref: schema.$id })),
    },
  }),
);

export const Conversation = named(
  "Conversation",
  Type.Object({
    messages: Type.Array(ref(AgentMessage)),
    /** The last message of the active branch, in a tree of messages. */
    leafId: Type.Optional(Type.String()),
  }),
);

export const Loss = named(
  "Loss",
  Type.Object({
    /** JSON pointer into the source; in line-based files the first token is the record's index. */
    at: Type.String(),
    what: Type.String(),
    why: Type.String(),
    severity: Type.Unsafe<"dropped" | "approximated" | "synthesised">({
      enum: ["dropped", "approximated", "synthesised"],
    }),
    /** A whole message, or (part of) its content. Absent for other fields. */
    of: Type.Optional(Type.Unsafe<"message" | "content">({ enum: ["message", "content"] })),
  }),
);

/** A reply to a channel after a run. */
export const ReplyPayload = named(
  "ReplyPayload",
  Type.Object({
    text: Type.Optional(Type.String()),
    mediaUrl: Type.Optional(Type.String()),
    mediaUrls: Type.Optional(Type.Array(Type.String())),
    replyToId: Type.Optional(Type.String()),
    isError: Type.Optional(Type.Boolean()),
  }),
);

/** A message as channels deliver it. Other fields are kept, and never shown to a model. */
export const OpenClawMessage = named(
  "OpenClawMessage",
  Type.Object({
    From: Type.String(),
    To: Type.String(),
    ChatType: Type.Unsafe<"direct" | "group" | "channel">({ enum: ["direct", "group", "channel"] }),
    Text: Type.Optional(Type.String()),
    MediaUrl: Type.Optional(Type.String()),
    MediaType: Type.Optional(
      Type.Unsafe<"image" | "audio" | "video" | "document">({
        enum: ["image", "audio", "video", "document"],
      }),
    ),
    ReplyToId: Type.Optional(Type.String()),
    MessageThreadId: Type.Optional(Type.String()),
    /** Unix seconds; values that can only be milliseconds are read as such. */
    Timestamp: Type.Optional(Type.Number({ minimum: 0 })),
    MessageId: Type.Optional(Type.String()),
  }),
);
