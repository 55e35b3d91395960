import { isObject } from "../../core/json/value.js";
import type { PermissionAnswer, PermissionRequest } from "../../runtime/types.js";
import type { Paint } from "../colour.js";
import { counted } from "../table.js";
import { safe } from "./clip.js";

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
  const [first = "", ...more] = safe(subject ?? "").split("\n");
  const rest = Object.entries(isObject(toolCall.arguments) ? toolCall.arguments : {})
    .filter(([, value]) => value !== subject)
    .flatMap(([name, value]) =>
      safe(`${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`).split("\n"),
    );
  const hidden = rest.length - SHOWN;
  return [
    `${paint("yellow", "?")} May it run ${paint("bold", safe(toolCall.name))}${first === "" ? "" : `: ${first}`}`,
    ...more.map((line) => `  ${line}`),
    ...rest.slice(0, SHOWN).map((line) => paint("dim", `  ${line}`)),
    ...(hidden > 0 ? [paint("dim", `  … ${counted(hidden, "more line")}`)] : []),
  ];
}
