import { isObject, type JsonObject } from "../../core/json/value.js";
import { unexpected } from "../../core/records/unexpected.js";

export interface ReadSystem {
  prompt?: string;
  /** The instruction with the length of each text in its place; there is none when we would write the same. */
  layout?: JsonObject;
}

const BETWEEN = "\n\n";

/** The system prompt that an instruction is. Its texts are paragraphs of one prompt. */
export function readSystem(instruction: unknown): ReadSystem {
  if (instruction === undefined) return {};
  if (!isObject(instruction) || !Array.isArray(instruction["parts"])) {
    throw unexpected("/systemInstruction", "an instruction, an object with a list of parts", instruction);
  }
  const { parts, ...rest } = instruction;
  // In a layout it would be a length.
  const odd = parts.findIndex((part) => isObject(part) && typeof part["text"] === "number");
  if (odd >= 0) throw unexpected(`/systemInstruction/parts/${odd}/text`, "a text", parts[odd].text);
  const texts = parts.flatMap((part) =>
    isObject(part) && typeof part["text"] === "string" ? [part["text"]] : [],
  );
  if (texts.length === 0) return { layout: instruction };
  const prompt = texts.join(BETWEEN);
  const [only] = parts;
  const usual = parts.length === 1 && Object.keys(only).length === 1 && Object.keys(rest).length === 0;
  if (usual) return { prompt };
  const lengths = parts.map((part) =>
    isObject(part) && typeof part["text"] === "string" ? { ...part, text: part["text"].length } : part,
  );
  return { prompt, layout: { ...rest, parts: lengths } };
}

/** A prompt that is longer or shorter than the layout says is another one: it is one text. */
export function writeSystem(prompt: string | undefined, layout: unknown): { systemInstruction?: unknown } {
  if (prompt === undefined) return layout === undefined ? {} : { systemInstruction: layout };
  const { parts, ...rest } = isObject(layout) ? layout : {};
  const cut = Array.isArray(parts) ? cutUp(prompt, parts) : undefined;
  return { systemInstruction: { ...rest, parts: cut ?? [{ text: prompt }] } };
}

function cutUp(prompt: string, layout: readonly unknown[]): unknown[] | undefined {
  let at = 0;
  const parts = layout.map((part) => {
    if (!isObject(part) || typeof part["text"] !== "number") return part;
    const text = prompt.slice(at, at + part["text"]);
    at += part["text"] + BETWEEN.length;
    return { ...part, text };
  });
  return at - BETWEEN.length === prompt.length ? parts : undefined;
}
