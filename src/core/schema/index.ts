import type { TSchema } from "@sinclair/typebox";
import * as blocks from "./blocks.js";
import * as events from "./events.js";
import * as messages from "./messages.js";
import { Question, QuestionNote } from "./question.js";
import * as turns from "./session-turns.js";

export * from "./blocks.js";
export * from "./events.js";
export * from "./messages.js";
export * from "./session-turns.js";

/** Every named schema; the build writes each to `schemas/` and generates its validator. */
export const allSchemas: TSchema[] = [
  ...Object.values(blocks),
  messages.Usage,
  messages.StopReason,
  ...Object.values(messages.messageSchemas),
  messages.AgentMessage,
  messages.Conversation,
  messages.Loss,
  messages.ReplyPayload,
  messages.OpenClawMessage,
  Question,
  QuestionNote,
  ...Object.values(turns),
  ...Object.values(events),
];
