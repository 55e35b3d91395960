import type { Static } from "@sinclair/typebox";
import type * as blocks from "./schema/blocks.js";
import type { Ext as ExtSchema } from "./schema/build.js";
import type * as events from "./schema/events.js";
import type * as messages from "./schema/messages.js";
import type * as questions from "./schema/question.js";
import type * as turns from "./schema/session-turns.js";

export type Ext = Static<typeof ExtSchema>;

export type TextContent = Static<typeof blocks.TextContent>;
export type ThinkingContent = Static<typeof blocks.ThinkingContent>;
export type ImageContent = Static<typeof blocks.ImageContent>;
export type AudioContent = Static<typeof blocks.AudioContent>;
export type FileContent = Static<typeof blocks.FileContent>;
export type ToolCall = Static<typeof blocks.ToolCall>;
export type OpaqueContent = Static<typeof blocks.OpaqueContent>;
export type UserContent = Static<typeof blocks.UserContent>;
export type AssistantContent = Static<typeof blocks.AssistantContent>;

export type Usage = Static<typeof messages.Usage>;
export type StopReason = Static<typeof messages.StopReason>;

export type UserMessage = Static<typeof messages.UserMessage>;
export type AssistantMessage = Static<typeof messages.AssistantMessage>;
/** `TDetails` is the part of a result for programs; models never see it. */
export type ToolResultMessage<TDetails = unknown> = Static<typeof messages.ToolResultMessage> & {
  details?: TDetails;
};
export type SessionMessage = Static<typeof messages.SessionMessage>;
export type SystemMessage = Static<typeof messages.SystemMessage>;
export type StatusMessage = Static<typeof messages.StatusMessage>;
export type ErrorMessage = Static<typeof messages.ErrorMessage>;
export type AgentCompleteMessage = Static<typeof messages.AgentCompleteMessage>;
export type AgentMessageMessage = Static<typeof messages.AgentMessageMessage>;
export type CompactionMessage = Static<typeof messages.CompactionMessage>;
export type CustomMessage = Static<typeof messages.CustomMessage>;

export type Question = Static<typeof questions.Question>;
export type PermissionAnswer = Static<typeof questions.PermissionAnswer>;
export type QuestionNote = Static<typeof questions.QuestionNote>;

/** The API of an answer (`AssistantMessage.api`): one of ours, or another program's. Exported to users as `Api`. */
export type AnswerApi =
  | "anthropic-messages"
  | "openai-completions"
  | "openai-responses"
  | "google-generative-ai"
  | "ollama-chat"
  | "bedrock-converse"
  | (string & {});

/** The model's provider (`AssistantMessage.provider`): `anthropic`, or any name you choose. */
export type Provider = "anthropic" | "openai" | "google" | "ollama" | (string & {});

/** The messages that a model reads and writes. */
export type Message = UserMessage | AssistantMessage | ToolResultMessage;

/**
 * The other messages of a conversation. Programs add their own roles by declaration merging.
 *
 * @example
 * declare module "dragoman" {
 *   interface CustomAgentMessages {
 *     note: { role: "note"; text: string; timestamp: number };
 *   }
 * }
 */
export interface CustomAgentMessages {
  session: SessionMessage;
  system: SystemMessage;
  status: StatusMessage;
  error: ErrorMessage;
  agentComplete: AgentCompleteMessage;
  agentMessage: AgentMessageMessage;
  compaction: CompactionMessage;
  custom: CustomMessage;
}

export type AgentMessage = Message | CustomAgentMessages[keyof CustomAgentMessages];

/** Messages in stored order; a tree if they have `parentId`. */
export type Conversation = Static<typeof messages.Conversation>;

/** Something a conversion could not carry over, or had to fill in. */
export type Loss = Static<typeof messages.Loss>;

export type ReplyPayload = Static<typeof messages.ReplyPayload>;
export type OpenClawMessage = Static<typeof messages.OpenClawMessage> & { [field: string]: unknown };
export type AgentSessionMessage = Static<typeof turns.AgentSessionMessage>;
export type SessionTurn = Static<typeof turns.SessionTurn>;

/** An answer's event: `start`, then each block's start, deltas and end, then one `done` or `error`. Blocks may overlap. */
export type AssistantMessageEvent = Static<typeof events.AssistantMessageEvent>;

/** The same event in process, always with `partial`: one live object, so never keep it as a snapshot. */
export type LiveAssistantMessageEvent =
  | Extract<AssistantMessageEvent, { type: "start" | "done" | "error" }>
  | (Exclude<AssistantMessageEvent, { type: "start" | "done" | "error" }> & { partial: AssistantMessage });

type StoredAgentEvent = Static<typeof events.AgentEvent>;

/** An event of a run, in process: a step of an answer has the live message, as `message` and as `partial`. */
export type AgentEvent =
  | Exclude<StoredAgentEvent, { type: "message_update" }>
  | {
      type: "message_update";
      message: AgentMessage;
      assistantMessageEvent: Extract<LiveAssistantMessageEvent, { partial: AssistantMessage }>;
    };

/** The same event on a wire: `chat --json`, `/rpc`, `dragoman/client` and the web app. */
export type AgentEventLine = Static<typeof events.AgentEventLine>;
export type AssistantMessageEventLine = Static<typeof events.AssistantMessageEventLine>;
export type MessageName = Static<typeof events.MessageName>;
