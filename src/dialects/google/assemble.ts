import type { Assembler } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";

/** Assembles chunks into a response: joins each candidate's parts; of other fields, the last value counts. */
export class ContentAssembler implements Assembler {
  #response: JsonObject = {};
  readonly #candidates = new Map<number, Candidate>();

  push(payload: unknown): void {
    if (!isObject(payload)) return;
    const { candidates, ...fields } = payload;
    this.#response = { ...this.#response, ...fields };
    for (const candidate of Array.isArray(candidates) ? candidates.filter(isObject) : []) {
      const index = typeof candidate["index"] === "number" ? candidate["index"] : 0;
      const known = this.#candidates.get(index);
      this.#candidates.set(index, joinCandidate(known, candidate));
    }
  }

  response(): JsonObject {
    if (this.#candidates.size === 0) return this.#response;
    const candidates = [...this.#candidates]
      .sort(([a], [b]) => a - b)
      .map(([, candidate]) => writeCandidate(candidate));
    return { candidates, ...this.#response };
  }
}

interface Candidate {
  fields: JsonObject;
  content: JsonObject | undefined;
  parts: JsonObject[];
}

function joinCandidate(known: Candidate | undefined, { content, ...fields }: JsonObject): Candidate {
  const { parts, ...inContent } = isObject(content) ? content : {};
  const candidate = known ?? { fields: {}, content: undefined, parts: [] };
  candidate.fields = { ...candidate.fields, ...fields };
  if (isObject(content)) candidate.content = { ...candidate.content, ...inContent };
  for (const part of Array.isArray(parts) ? parts.filter(isObject) : []) addPart(candidate.parts, part);
  return candidate;
}

function writeCandidate({ fields, content, parts }: Candidate): JsonObject {
  if (content === undefined) return fields;
  return { content: { ...(parts.length === 0 ? {} : { parts }), ...content }, ...fields };
}

/** Joins consecutive plain texts. A part with a signature stays separate, because the signature is for that part. */
function addPart(parts: JsonObject[], part: JsonObject): void {
  const last = parts.at(-1);
  if (last !== undefined && isPlainText(last) && isPlainText(part) && last["thought"] === part["thought"]) {
    last["text"] = `${last["text"]}${part["text"]}`;
  } else parts.push({ ...part });
}

function isPlainText(part: JsonObject): boolean {
  return (
    typeof part["text"] === "string" && Object.keys(part).every((key) => key === "text" || key === "thought")
  );
}
