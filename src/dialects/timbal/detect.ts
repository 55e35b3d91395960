import type { Sample } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { isStandardType } from "./contract.js";
import { readFrame } from "./frame.js";

/** Sure if a frame contains a message of a known type; less so the more lines are not frames. */
export function detect({ lines }: Sample): number {
  const scores = lines.map(scoreOf);
  const best = Math.max(0, ...scores);
  const share = scores.filter((score) => score > 0).length / Math.max(1, lines.length);
  return share >= 0.5 ? best * (0.9 + share / 10) : 0;
}

/** Values without frames have no ids. */
export function advise({ lines }: Sample): string | undefined {
  const isValue = (line: unknown) => isObject(line) && typeScore(line["type"]) === 1;
  if (lines.length === 0 || !lines.every(isValue)) return undefined;
  return 'these are the values of Timbal frames; put each into a frame: {"i":"<ulid>","t":"<time>","v":…}';
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
  return typeof type === "string" && (isStandardType(type) || type.startsWith("x-")) ? 1 : 0.8;
}
