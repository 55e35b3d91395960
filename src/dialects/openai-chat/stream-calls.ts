import { isObject, type JsonObject } from "../../core/json/value.js";
import type { AnswerBuilder } from "../../core/stream/builder.js";
import { readCall } from "./calls.js";
import { merge } from "./merge.js";

interface OpenCall {
  id: string;
  name: string;
  /** The index of its block; undefined until its name arrives. */
  block: number | undefined;
  /** Arguments that arrived before the name. */
  early: string;
  /** Other fields in its deltas. */
  rest: JsonObject;
  /** Other fields in `function`. */
  inner: JsonObject;
}

const IN_CALL = new Set(["index", "id", "type", "function"]);
const IN_FUNCTION = new Set(["name", "arguments"]);

/**
 * Reads the tool calls of a stream. Servers number them, or give every call the index 0, or no index; they send ids with
 * each delta, once, late or never; and they send a call in pieces or whole.
 */
export class CallReader {
  readonly #builder: AnswerBuilder;
  readonly #calls: OpenCall[] = [];
  readonly #byIndex = new Map<number, OpenCall>();

  constructor(builder: AnswerBuilder) {
    this.#builder = builder;
  }

  get count(): number {
    return this.#calls.length;
  }

  push(delta: JsonObject): void {
    const { index, id: givenId, function: given } = delta;
    const called = isObject(given) ? given : {};
    const { name: givenName, arguments: part } = called;
    const id = typeof givenId === "string" ? givenId : "";
    const name = typeof givenName === "string" ? givenName : "";
    const call = this.#find(typeof index === "number" ? index : undefined, id, name);
    call.id ||= id;
    call.name ||= name;
    merge(call.rest, delta, IN_CALL);
    merge(call.inner, called, IN_FUNCTION);
    this.#write(call, typeof part === "string" ? part : isObject(part) ? JSON.stringify(part) : "");
  }

  /** Adds data that arrived after a block started: ids, signatures and notes. */
  annotateBlocks(): void {
    for (const call of this.#calls) this.#complete(call.block ?? this.#open(call), call);
  }

  #find(index: number | undefined, id: string, name: string): OpenCall {
    const known =
      index === undefined
        ? this.#findWithoutIndex(id, name)
        : this.#continueCall(this.#byIndex.get(index), id, name);
    const call = known ?? this.#begin();
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }

  #findWithoutIndex(id: string, name: string): OpenCall | undefined {
    if (id !== "") return this.#calls.find((call) => call.id === id);
    return name === "" ? this.#calls.at(-1) : undefined;
  }

  /** A different id together with a name starts another call with the same index. */
  #continueCall(call: OpenCall | undefined, id: string, name: string): OpenCall | undefined {
    const isOther = id !== "" && name !== "" && call !== undefined && call.id !== "" && call.id !== id;
    return isOther ? undefined : call;
  }

  #begin(): OpenCall {
    const call: OpenCall = { id: "", name: "", block: undefined, early: "", rest: {}, inner: {} };
    this.#calls.push(call);
    return call;
  }

  #write(call: OpenCall, part: string): void {
    if (call.block === undefined && call.name === "") {
      call.early += part;
      return;
    }
    const block = call.block ?? this.#open(call);
    this.#builder.delta(block, part);
  }

  #open(call: OpenCall): number {
    const block = this.#builder.open({ type: "toolCall", id: call.id, name: call.name, arguments: {} });
    call.block = block;
    this.#builder.delta(block, call.early);
    return block;
  }

  #complete(index: number, { id, name, rest, inner }: OpenCall): void {
    const block = this.#builder.message.content[index];
    if (block?.type !== "toolCall") return;
    const read = readCall({ ...rest, id, type: "function", function: { ...inner, name, arguments: "{}" } });
    if (read.type !== "toolCall") return;
    const { thoughtSignature, ext } = read;
    Object.assign(block, { id }, thoughtSignature === undefined ? {} : { thoughtSignature }, ext && { ext });
  }
}
