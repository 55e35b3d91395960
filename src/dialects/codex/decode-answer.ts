import type { JsonRecord } from "../../core/dialect.js";
import { isNumber, isObject, type JsonObject } from "../../core/json/value.js";
import { impliedStop } from "../../core/message/neutral.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AssistantContent, AssistantMessage, Usage } from "../../core/types.js";
import { readItem } from "./blocks.js";
import { withLineNotes } from "./decode-item.js";
import type { Surroundings } from "./encode-lines.js";
import { addNotes } from "./notes.js";
import { timeOf } from "./time.js";
import { API, isBareItem, itemIn, modelIn, PROVIDER, payloadOf } from "./wire.js";

/** A line of an answer: what it is (`Lines`), and its index in the unit. */
interface AnswerLine {
  mark: string;
  record: JsonRecord;
  index: number;
}

/** The lines of an answer, as far as they have been read. */
export class OpenAnswer {
  readonly #lines: AnswerLine[] = [];
  readonly #surroundings: Surroundings;
  /** No more items belong to it. */
  isClosed = false;
  isCounted = false;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  add(mark: string, record: JsonRecord, index: number): void {
    this.#lines.push({ mark, record, index });
  }

  addItem(record: JsonRecord, index: number): void {
    this.add(isBareItem(record) ? "b" : "i", record, index);
  }

  /** The index of its last line. */
  get end(): number {
    return this.#lines.at(-1)?.index ?? -1;
  }

  message(): AssistantMessage {
    const lines = this.#lines;
    const content: AssistantContent[] = [];
    const records: JsonRecord[] = [];
    let shape = "";
    let count: JsonRecord | undefined;
    for (const { mark, record, index } of lines) {
      shape += mark;
      records.push(record);
      if (mark === "c") count = record;
      const item = mark === "i" || mark === "b" ? itemIn(record) : undefined;
      if (item === undefined) continue;
      for (const block of readItem(item, mark === "b" ? `/${index}` : `/${index}/payload`))
        content.push(block);
    }
    const [first] = lines;
    const model = modelIn(first?.mark === "t" ? first.record : this.#surroundings.last);
    const time = first === undefined ? undefined : timeOf(first.record);
    const synthesised = ["/provider"];
    if (model === undefined) synthesised.push("/model");
    synthesised.push(count === undefined ? "/usage" : "/usage/cost", "/stopReason");
    if (time === undefined) synthesised.push("/timestamp");
    const message: AssistantMessage = {
      role: "assistant",
      content,
      api: API,
      provider: PROVIDER,
      model: model ?? "",
      usage: count === undefined ? emptyUsage() : readUsage(count),
      stopReason: impliedStop(content),
      timestamp: time ?? 0,
      ext: { synthesised },
    };
    withLineNotes(message, shape, records, this.#surroundings);
    this.#noteGaps(message);
    return message;
  }

  #noteGaps(message: AssistantMessage): void {
    const lines = this.#lines;
    const isConsecutive = this.end - (lines[0]?.index ?? 0) === lines.length - 1;
    if (isConsecutive) return;
    const gaps = lines.slice(1).map(({ index }, at) => index - (lines[at]?.index ?? 0) - 1);
    addNotes(message, { gaps });
  }
}

function readUsage(count: JsonRecord): Usage {
  const { info } = payloadOf(count);
  const last = isObject(info) && isObject(info["last_token_usage"]) ? info["last_token_usage"] : {};
  const cacheRead = tokens(last, "cached_input_tokens");
  const cacheWrite = tokens(last, "cache_write_input_tokens");
  const input = Math.max(0, tokens(last, "input_tokens") - cacheRead - cacheWrite);
  const output = tokens(last, "output_tokens");
  const total = last["total_tokens"];
  const totalTokens = isNumber(total) ? total : input + cacheRead + cacheWrite + output;
  return { input, output, cacheRead, cacheWrite, totalTokens, cost: emptyUsage().cost };
}

function tokens(usage: JsonObject, field: string): number {
  const count = usage[field];
  return isNumber(count) ? count : 0;
}
