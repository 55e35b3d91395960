import type { Sample } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { readFrame } from "./frame.js";
import { TYPES } from "./wire.js";

/** Sure when a frame holds a message of a known type; less so the more lines are no frames. */
export function detect({ lines }: Sample): number {
  const scores = lines.map(scoreOf);
  const best = Math.max(0, ...scores);
  const share = scores.filter((score) => score > 0).length / Math.max(1, lines.length);
  return share >= 0.5 ? best * (0.9 + share / 10) : 0;
}

/** Values without their frames do not say which message they are. */
export function advise({ lines }: Sample): string | undefined {
  const areValues =
    lines.length > 0 && lines.every((line) => isObject(line) && typeScore(line["type"]) === 1);
  return areValues
    ? 'this is what a Timbal frame holds; put it into one: {"i":"<ulid>","t":"<time>","v":…}'
    : undefined;
}

function scoreOf(line: unknown): number {
  const frame = readFrame(line);
  switch (frame.kind) {
    case "start":
      return frame.meta === undefined ? 0.5 : typeScore(frame.meta["type"]);
    case "set":
      return typeScore(frame.value["type"]);
    case "append":
    case "delete":
    case "error":
      return 0.8;
    case "ignored":
      return frame.why === "its control type is unknown" ? 0.5 : 0;
  }
}

function typeScore(type: unknown): number {
  return typeof type === "string" && (TYPES.has(type) || type.startsWith("x-")) ? 1 : 0.8;
}
