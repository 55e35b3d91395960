import type { Origin } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { AssistantMessage } from "../../core/types.js";
import { merge, update } from "./merge.js";
import { deviation, withNotes } from "./notes.js";
import { writeFinishReason } from "./stop-reason.js";
import { DETAILS } from "./thinking.js";
import { readUsage, writeUsage } from "./usage.js";
import { THINKING_FIELDS } from "./wire.js";

/** `obfuscation` is padding that hides the length of a chunk. */
const IN_RESPONSE = new Set(["choices", "object", "obfuscation", "usage", "x_groq"]);
const IN_CHOICE = new Set(["index", "delta", "finish_reason", "usage", "logprobs"]);
const IN_DELTA = new Set([
  ...["role", "content", "refusal", "images", "tool_calls", "function_call"],
  ...THINKING_FIELDS,
  DETAILS,
]);
const COST_PARTS = ["input", "output", "cacheRead", "cacheWrite"];

/** Collects the usage, which different servers put into different fields, and fields that our model does not have. */
export class AnswerNotes {
  readonly #message: AssistantMessage;
  readonly #origin: Origin;
  readonly #response: JsonObject = {};
  readonly #choice: JsonObject = {};
  readonly #fields: JsonObject = {};
  readonly #others = new Map<unknown, JsonObject>();
  #usage: JsonObject | undefined;

  constructor(message: AssistantMessage, origin: Origin) {
    this.#message = message;
    this.#origin = origin;
  }

  /** Notes a chunk's fields other than its choices. */
  noteResponse(chunk: JsonObject): void {
    update(this.#response, chunk, IN_RESPONSE);
    const { usage, x_groq } = chunk;
    if (isObject(x_groq)) {
      const { usage: inGroq, ...groq } = x_groq;
      if (Object.keys(groq).length > 0) update(this.#response, { x_groq: groq });
      this.noteUsage(inGroq);
    }
    this.noteUsage(usage);
  }

  /** Notes a choice's fields other than its delta and finish reason. */
  noteChoice(choice: JsonObject): void {
    update(this.#choice, choice, IN_CHOICE);
    const { usage, logprobs } = choice;
    if (isObject(logprobs)) merge(this.#choice, { logprobs });
    this.noteUsage(usage);
  }

  /** Notes a delta's fields that are not content. */
  noteFields(delta: JsonObject): void {
    merge(this.#fields, delta, IN_DELTA);
  }

  /** Notes a choice of a request with `n` > 1; the first choice is the message. */
  noteOtherChoice(choice: JsonObject): void {
    const { index } = choice;
    const known = this.#others.get(index);
    if (known === undefined) this.#others.set(index, structuredClone(choice));
    else merge(known, { ...choice, index: null });
  }

  noteUsage(usage: unknown): void {
    if (isObject(usage)) this.#usage = usage;
  }

  /** Adds the notes to the message. Calls without an id get one. */
  apply(finishReason: string | undefined): void {
    const message = this.#message;
    const { id, model, created, ...response } = this.#response;
    if (typeof model === "string") this.#attribute("model", model, response);
    if (typeof created === "number") this.#attribute("timestamp", created * 1000, response);
    const usual = writeFinishReason(message.stopReason);
    const usage = this.#resolveUsage();
    const synthesised = [...usage.synthesised, ...this.#nameCalls(typeof id === "string" ? id : undefined)];
    const notes = {
      ...(id === undefined ? {} : { id }),
      ...(finishReason === undefined || finishReason === usual ? {} : { finishReason }),
      ...withoutEmpty({
        response: withoutEmpty({ fields: response }),
        choice: this.#choiceNotes(),
        usage: usage.notes,
      }),
      ...(this.#others.size > 0 ? { choices: [...this.#others.values()] } : {}),
    };
    Reflect.deleteProperty(message, "ext");
    const ext = synthesised.length > 0 ? { ext: { synthesised } } : {};
    Object.assign(message, withNotes<Pick<AssistantMessage, "ext">>(ext, notes));
  }

  /** Servers put fields about the message into it or beside it. */
  #choiceNotes(): JsonObject {
    const { message, ...fields } = this.#choice;
    const inMessage = { ...(isObject(message) ? message : {}), ...this.#fields };
    return withoutEmpty({ fields, inside: withoutEmpty({ message: withoutEmpty({ fields: inMessage }) }) });
  }

  /** Uses the model or time that the answer states if the origin does not know it; otherwise only notes it. */
  #attribute(field: "model" | "timestamp", stated: string | number, response: JsonObject): void {
    const origin = this.#origin[field];
    if (origin === "" || origin === 0) Object.assign(this.#message, { [field]: stated });
    else if (field === "model" && stated !== origin) response["model"] = stated;
    else if (field === "timestamp") response["created"] = Number(stated) / 1000;
  }

  #nameCalls(id: string | undefined): string[] {
    const base = id ?? `call-${this.#message.timestamp}`;
    return this.#message.content.flatMap((block, index) => {
      if (block.type !== "toolCall" || block.id !== "") return [];
      Object.assign(block, { id: `${base}-${index}` });
      return `/content/${index}/id`;
    });
  }

  #resolveUsage(): { notes: JsonObject; synthesised: string[] } {
    const raw = this.#usage;
    if (raw === undefined) return { notes: {}, synthesised: ["/usage"] };
    const { usage, billed, reasoningTokens } = readUsage(raw, this.#origin);
    this.#message.usage = usage;
    const notes = reasoningTokens > 0 ? { reasoningTokens } : {};
    const unknown = billed ? COST_PARTS.map((part) => `/usage/cost/${part}`) : ["/usage/cost"];
    return {
      notes: { ...notes, ...deviation(raw, writeUsage(usage, notes.reasoningTokens)) },
      synthesised: this.#origin.priceKnown ? [] : unknown,
    };
  }
}

function withoutEmpty(notes: Record<string, JsonObject>): JsonObject {
  return Object.fromEntries(Object.entries(notes).filter(([, value]) => Object.keys(value).length > 0));
}
