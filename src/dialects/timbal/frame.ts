import { isObject, type JsonObject } from "../../core/json/value.js";

/** One line of the wire, by its effect. */
export type TimbalFrame =
  | { kind: "start"; s: string | undefined; i: string; meta: JsonObject | undefined }
  | { kind: "append"; s: string | undefined; i: string; text: string }
  | { kind: "set"; s: string | undefined; i: string; value: JsonObject; frame: JsonObject }
  | { kind: "delete"; s: string | undefined; i: string }
  | { kind: "error"; s: string | undefined; code: string; message: string | undefined }
  | { kind: "ignored"; why: string };

/** Classifies a frame. One that the protocol tells receivers to ignore is returned with the reason. */
export function readFrame(frame: unknown): TimbalFrame {
  if (!isObject(frame)) return ignored("it is not an object");
  const isMessage = Object.hasOwn(frame, "i");
  const isControl = Object.hasOwn(frame, "c");
  if (isMessage && isControl) return ignored("it has both i and c");
  if (!isMessage && !isControl) return ignored("it has neither i nor c");
  const { s } = frame;
  if (s !== undefined && typeof s !== "string") return ignored("s is not a string");
  return isMessage ? readMessageFrame(frame, s) : readControlFrame(frame, s);
}

function readMessageFrame(frame: JsonObject, s: string | undefined): TimbalFrame {
  const { i, m, a, v } = frame;
  if (typeof i !== "string") return ignored("i is not a string");
  if (a !== undefined && v !== undefined) return ignored("it has both a and v");
  if (m !== undefined && !isObject(m)) return ignored("m is not an object");
  if (m !== undefined && Object.hasOwn(m, "content")) return ignored("m contains content");
  if (v === null) return { kind: "delete", s, i };
  if (v !== undefined) {
    return isObject(v) ? { kind: "set", s, i, value: v, frame } : ignored("v is neither an object nor null");
  }
  if (a === undefined) return { kind: "start", s, i, meta: m };
  return typeof a === "string" ? { kind: "append", s, i, text: a } : ignored("a is not a string");
}

function readControlFrame(frame: JsonObject, s: string | undefined): TimbalFrame {
  const { c, code, message } = frame;
  if (typeof c !== "string") return ignored("c is not a string");
  if (c !== "error") return ignored("its control type is unknown");
  if (typeof code !== "string") return ignored("it is an error without a code");
  return { kind: "error", s, code, message: typeof message === "string" ? message : undefined };
}

function ignored(why: string): TimbalFrame {
  return { kind: "ignored", why };
}
