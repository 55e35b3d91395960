import type { PermissionRequest } from "../../core/message/question-notes.js";

/** Whether yes or no is an answer: a form with required fields needs more. */
export function isApprovable({ question }: PermissionRequest): boolean {
  return question?.fields.every((field) => !field.required || field.default !== undefined) ?? true;
}
