import { isObject } from "../../core/json/value.js";
import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { PermissionAnswer } from "../../core/types.js";
import type { Paint } from "../terminal/colour.js";
import { counted } from "../terminal/table.js";
import { visible } from "./visible.js";

const SHOWN = 10;
const answers: Readonly<Record<string, PermissionAnswer>> = {
  y: "once",
  yes: "once",
  a: "session",
  always: "session",
  n: "never",
  no: "never",
};

export const CHOICES = "y once · a always in this session · n no";

/** Undefined if it is not an answer. */
export function answerOf(typed: string): PermissionAnswer | undefined {
  const word = typed.trim().toLowerCase();
  return Object.hasOwn(answers, word) ? answers[word] : undefined;
}

/** The permission request. Its subject is never shortened: the user must see everything they allow. */
export function questionLines({ toolCall, subject }: PermissionRequest, paint: Paint): string[] {
  const [first = "", ...more] = visible(subject ?? "").split("\n");
  const rest = Object.entries(isObject(toolCall.arguments) ? toolCall.arguments : {})
    .filter(([, value]) => value !== subject)
    .flatMap(([name, value]) =>
      visible(`${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`).split("\n"),
    );
  const hidden = rest.length - SHOWN;
  return [
    `${paint("yellow", "?")} Allow ${paint("bold", visible(toolCall.name))}${first === "" ? "" : `: ${first}`}`,
    ...more.map((line) => `  ${line}`),
    ...rest.slice(0, SHOWN).map((line) => paint("dim", `  ${line}`)),
    ...(hidden > 0 ? [paint("dim", `  … ${counted(hidden, "more line")}`)] : []),
  ];
}
