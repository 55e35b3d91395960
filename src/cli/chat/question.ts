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

/** Answers that need Enter, because the user was typing when the question came. */
export const CHOICES_WITH_ENTER = `${CHOICES} · then Enter`;

/** Undefined if it is not an answer. */
export function answerOf(typed: string): PermissionAnswer | undefined {
  const word = typed.trim().toLowerCase();
  return Object.hasOwn(answers, word) ? answers[word] : undefined;
}

/**
 * The permission request. Its subject is never shortened, and neither is the diff of a change: the user must see everything
 * they allow.
 */
export function questionLines(
  { toolCall, subject }: PermissionRequest,
  paint: Paint,
  diff?: string,
): string[] {
  const [first = "", ...more] = visible(subject ?? "").split("\n");
  if (diff !== undefined && diff !== "") {
    return [
      `${paint("yellow", "?")} Allow ${paint("bold", visible(toolCall.name))}${first === "" ? "" : `: ${first}`}`,
      ...diffLines(diff, paint),
    ];
  }
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

/** A unified diff without the names of its file. */
function diffLines(diff: string, paint: Paint): string[] {
  const [, , ...lines] = visible(diff.trimEnd()).split("\n");
  return lines.map((line) => {
    if (line.startsWith("+")) return paint("green", `  ${line}`);
    if (line.startsWith("-")) return paint("red", `  ${line}`);
    return paint("dim", `  ${line}`);
  });
}
