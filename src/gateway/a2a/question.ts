import { isObject, isString } from "../../core/json/value.js";
import { contentSchema, questionText } from "../../core/message/question.js";
import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { PermissionAnswer } from "../../core/types.js";
import { readReply } from "../channels/question-texts.js";
import { dataIn } from "./content.js";
import { invalidParams } from "./errors.js";
import type { A2aMessage, TaskName } from "./wire.js";

/** The permission requests of a task, for people as text and for programs as data. */
export function questionMessage(task: TaskName, requests: readonly PermissionRequest[]): A2aMessage {
  return {
    messageId: requests.map(({ id }) => id).join("."),
    ...task,
    role: "ROLE_AGENT",
    parts: requests.flatMap(({ id, toolCall, subject, question, expires }) => {
      const what = subject === undefined ? toolCall.name : `${toolCall.name}: ${subject}`;
      const text =
        question === undefined ? `May the agent run ${what}? Answer yes or no.` : questionText(question);
      const tool = { id: toolCall.id, name: toolCall.name, arguments: toolCall.arguments };
      const form = question === undefined ? {} : { valuesSchema: contentSchema(question) };
      const expiresAt = new Date(expires).toISOString();
      return [{ text }, { data: { requestId: id, toolCall: tool, ...form, expiresAt } }];
    }),
  };
}

export interface QuestionAnswer {
  answer: PermissionAnswer;
  values: Record<string, unknown>;
  /** The request that it answers (default: all open ones). */
  requestId?: string;
}

/** The client's answer: `{"requestId": "01M…", "approved": true, "scope": "session"}` as data, or yes or no as text. */
export function readAnswer(parts: readonly unknown[]): QuestionAnswer {
  const data = dataIn(parts);
  if (data !== undefined && typeof data["approved"] === "boolean") {
    const values = isObject(data["values"]) ? data["values"] : {};
    const { requestId } = data;
    const to = isString(requestId) ? { values, requestId } : { values };
    if (!data["approved"]) return { answer: "never", ...to };
    return { answer: data["scope"] === "session" ? "session" : "once", ...to };
  }
  const text = parts
    .flatMap((part) => (isObject(part) && isString(part["text"]) ? part["text"] : []))
    .join(" ");
  const answer = readReply(text);
  if (answer !== undefined) return { answer, values: {} };
  throw invalidParams(
    'the task waits for a permission: answer yes or no, or send the data {"approved": true}',
  );
}
