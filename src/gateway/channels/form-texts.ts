import { DragomanError } from "../../core/error.js";
import { expectedIn, type FormContent, type QuestionField, readTyped } from "../../core/message/question.js";
import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { PermissionAnswer, Question } from "../../core/types.js";

/** Declines a form. "No" can be the value of a field. */
const DECLINE = "decline";

export function hasForm({ question }: Pick<PermissionRequest, "question">): boolean {
  return question !== undefined && question.fields.length > 0;
}

/** A question with a line for each field. */
export function formText({ message, fields }: Question): string {
  if (fields.length === 0) return message;
  return [message, "", ...fields.map((field) => `${field.title}: ${aboutField(field)}`)].join("\n");
}

function aboutField(field: QuestionField): string {
  const { default: preset, required, description } = field;
  const about = description === undefined ? "" : ` – ${description}`;
  if (preset !== undefined) return `${expectedIn(field)} (default: ${String(preset)})${about}`;
  return `${expectedIn(field)}${required ? "" : " (optional)"}${about}`;
}

export function howToFill({ fields }: Question): string {
  const values =
    fields.length === 1 ? "the value" : "a line for each field, its name and its value with a colon between";
  return `Reply to this message with ${values}, or with "${DECLINE}". Don't send passwords or keys.`;
}

/** A reply to a form. Throws if a value does not fit its field; `permissions.answer` checks what is missing. */
export function readForm(
  { fields }: Question,
  text: string,
): { answer: PermissionAnswer; values: FormContent } {
  if (text.trim().toLowerCase() === DECLINE) return { answer: "never", values: {} };
  const [only, ...others] = fields;
  const typed =
    only !== undefined && others.length === 0 ? new Map([[only, text.trim()]]) : typedValues(fields, text);
  const values: FormContent = {};
  for (const [field, words] of typed) {
    const value = readTyped(field, words);
    if (value === undefined) throw unreadable(`${field.title}: expected ${expectedIn(field)}`);
    values[field.name] = value;
  }
  return { answer: "once", values };
}

/** A line that names no field continues the value before it. */
function typedValues(fields: readonly QuestionField[], text: string): Map<QuestionField, string> {
  const typed = new Map<QuestionField, string>();
  let last: QuestionField | undefined;
  for (const line of text.trim().split("\n")) {
    const named = readLine(fields, line.trim());
    last = named?.field ?? last;
    if (last === undefined) throw unreadable("I don't know which field this is for");
    typed.set(last, named?.value ?? `${typed.get(last) ?? ""}\n${line}`);
  }
  return typed;
}

/** `Seats: 2`, with the title or the name of a field. */
function readLine(
  fields: readonly QuestionField[],
  line: string,
): { field: QuestionField; value: string } | undefined {
  for (const field of fields) {
    const word = [field.title, field.name].find((one) =>
      line.toLowerCase().startsWith(`${one.toLowerCase()}:`),
    );
    if (word !== undefined) return { field, value: line.slice(word.length + 1).trim() };
  }
  return undefined;
}

function unreadable(problem: string): DragomanError {
  return new DragomanError("model/invalid", `${problem}. Reply to the question again, or with "${DECLINE}".`);
}
