import type { Random } from "./random.js";

/** Damages a text as editors, shells and networks do. */
type Accident = (text: string, random: Random, other: string) => string;

const accidents: readonly [Accident, ...Accident[]] = [
  (text) => `\ufeff${text}`,
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => text.replaceAll("\n", "\r"),
  (text) => text.replaceAll("\n", "\n\n \t\n"),
  (text) => text.trimEnd(),
  (text) => text.trimEnd().split("\n").join(" "),
  (text, random) => text.slice(0, random.below(text.length)),
  (text, random) => text.slice(random.below(text.length)),
  (text, _, other) => text + other,
  (text, random, other) => text.slice(0, random.below(text.length)) + other,
  (text, random, other) => interleaved(text, other, random),
  (text) => text + text,
  (text) => `[${text.trimEnd().split("\n").join(",\n")}]\n`,
  (text) => `{"messages":${text}}\n`,
  (text, random) => inserted(text, random, "\u0000"),
  (text, random) => inserted(text, random, "\ufeff"),
  (text, random) => inserted(text, random, "\\ud83d"),
  (text, random) => inserted(text, random, "\n"),
  (text, random) => inserted(text, random, "\\u0000"),
];

export function suffer(text: string, random: Random, other: string): string {
  return random.pick(accidents)(text, random, other);
}

function inserted(text: string, random: Random, what: string): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + what + text.slice(at);
}

/** Interleaves the lines of both. */
function interleaved(text: string, other: string, random: Random): string {
  const [left, right] = [text.split("\n"), other.split("\n")];
  const lines: string[] = [];
  while (left.length + right.length > 0) {
    const line = (random.chance(left.length / (left.length + right.length)) ? left : right).shift();
    if (line !== undefined) lines.push(line);
  }
  return lines.join("\n");
}
