import { isObject } from "../../core/json/value.js";
import type { PermissionAnswer, PermissionRequest } from "../../runtime/types.js";
import type { Paint } from "../terminal/colour.js";
import { counted } from "../terminal/table.js";

const SHOWN = 10;
const answers: Readonly<Record<string, PermissionAnswer>> = {
  y: "once",
  yes: "once",
  a: "session",
  always: "session",
  n: "never",
  no: "never",
};

export const CHOICES = "y once · a always for this · n no";

/** Undefined for what is no answer. */
export function answerOf(typed: string): PermissionAnswer | undefined {
  const word = typed.trim().toLowerCase();
  return Object.hasOwn(answers, word) ? answers[word] : undefined;
}

/** What the agent wants to do. What it is about is shown whole, however long: nobody should allow what they cannot see. */
export function questionLines({ toolCall, subject }: PermissionRequest, paint: Paint): string[] {
  const [first = "", ...more] = visible(subject ?? "").split("\n");
  const rest = Object.entries(isObject(toolCall.arguments) ? toolCall.arguments : {})
    .filter(([, value]) => value !== subject)
    .flatMap(([name, value]) =>
      visible(`${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`).split("\n"),
    );
  const hidden = rest.length - SHOWN;
  return [
    `${paint("yellow", "?")} May it run ${paint("bold", visible(toolCall.name))}${first === "" ? "" : `: ${first}`}`,
    ...more.map((line) => `  ${line}`),
    ...rest.slice(0, SHOWN).map((line) => paint("dim", `  ${line}`)),
    ...(hidden > 0 ? [paint("dim", `  … ${counted(hidden, "more line")}`)] : []),
  ];
}

/** What a terminal would obey or hide is spelt out: left away, it would be run all the same. */
function visible(text: string): string {
  return text.replace(/[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
}
