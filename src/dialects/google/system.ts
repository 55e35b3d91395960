import { isObject, type JsonObject } from "../../core/json/value.js";
import { unexpected } from "../../core/records/unexpected.js";

export interface ReadSystem {
  prompt?: string;
  /** The instruction with each text replaced by its length; absent if we would write the same instruction. */
  layout?: JsonObject;
}

const BETWEEN = "\n\n";

/** An instruction as a system prompt. Its texts become paragraphs of one prompt. */
export function readSystem(instruction: unknown): ReadSystem {
  if (instruction === undefined) return {};
  if (!isObject(instruction) || !Array.isArray(instruction["parts"])) {
    throw unexpected("/systemInstruction", "an instruction, an object with a list of parts", instruction);
  }
  const { parts, ...rest } = instruction;
  // In a layout, a number would be a length.
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

/** A prompt whose length differs from the layout's has changed, and is written as one text. */
export function writeSystem(prompt: string | undefined, layout: unknown): { systemInstruction?: unknown } {
  if (prompt === undefined) return layout === undefined ? {} : { systemInstruction: layout };
  const { parts, ...rest } = isObject(layout) ? layout : {};
  const split = Array.isArray(parts) ? splitPrompt(prompt, parts) : undefined;
  return { systemInstruction: { ...rest, parts: split ?? [{ text: prompt }] } };
}

function splitPrompt(prompt: string, layout: readonly unknown[]): unknown[] | undefined {
  let at = 0;
  const parts = layout.map((part) => {
    if (!isObject(part) || typeof part["text"] !== "number") return part;
    const text = prompt.slice(at, at + part["text"]);
    at += part["text"] + BETWEEN.length;
    return { ...part, text };
  });
  return at - BETWEEN.length === prompt.length ? parts : undefined;
}
