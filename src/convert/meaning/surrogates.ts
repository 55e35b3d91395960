import { isObject } from "../../core/json/value.js";

type Path = readonly (string | number)[];

/** A lone surrogate. */
const HALF = /\p{Surrogate}/u;
const HALVES = /\p{Surrogate}/gu;

/** The paths of the strings that contain lone surrogates. Opaque blocks are not searched. */
export function* brokenTexts(value: unknown, path: Path): Generator<Path> {
  if (typeof value === "string") {
    if (HALF.test(value)) yield path;
  } else if (Array.isArray(value)) {
    for (const [index, member] of value.entries()) yield* brokenTexts(member, [...path, index]);
  } else if (isObject(value) && value["type"] !== "opaque") {
    for (const key of Object.keys(value)) {
      if (key !== "ext" && key !== "data") yield* brokenTexts(value[key], [...path, key]);
    }
  }
}

/** The text with each lone surrogate replaced by U+FFFD. */
export function wholeText(text: string): string {
  return text.replace(HALVES, "\ufffd");
}
