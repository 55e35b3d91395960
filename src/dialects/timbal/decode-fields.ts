import type { JsonObject } from "../../core/json/value.js";
import type { Notes } from "./notes.js";
import { invalid, type WireRecord } from "./wire.js";

/** Reads a value field by field; what nobody asked for is left over, and what is missing is noted. */
export class Fields {
  readonly #at: string;
  readonly #rest: JsonObject;
  readonly #absent: string[] = [];
  /** Pointers into the message to what the value did not say. */
  readonly synthesised: string[] = [];

  constructor({ v, type, sender, at }: WireRecord) {
    this.#at = `${at}/v`;
    this.#rest = { ...v };
    if (type !== undefined) this.drop("type");
    if (sender !== undefined) this.drop("sender");
  }

  /** A string that the model requires. Anything else cannot be read. */
  text(name: string, pointer = `/${name}`): string {
    const value = this.take(name);
    if (value === undefined) return this.missing(name, pointer, "");
    if (typeof value !== "string") throw invalid("a string", value, `${this.#at}/${name}`);
    return value;
  }

  /** Any JSON that the model requires. */
  json(name: string, pointer = `/${name}`): unknown {
    const value = this.take(name);
    return value === undefined ? this.missing(name, pointer, null) : value;
  }

  /** `{ name: value }` if it is there and of that type; one of another type is left over. */
  optional<N extends string>(name: N, type: "string"): { [K in N]?: string };
  optional<N extends string>(name: N, type: "boolean"): { [K in N]?: boolean };
  optional(name: string, type: "string" | "boolean"): JsonObject {
    return typeof this.#rest[name] === type ? { [name]: this.take(name) } : {};
  }

  peek(name: string): unknown {
    return Object.hasOwn(this.#rest, name) ? this.#rest[name] : undefined;
  }

  take(name: string): unknown {
    const value = this.peek(name);
    this.drop(name);
    return value;
  }

  drop(name: string): void {
    Reflect.deleteProperty(this.#rest, name);
  }

  /** A field that we would write, and that this value does not have. */
  absent(name: string): void {
    this.#absent.push(name);
  }

  missing<T>(name: string, pointer: string, neutral: T): T {
    this.absent(name);
    this.synthesised.push(pointer);
    return neutral;
  }

  /** All that is left over. */
  rest(): JsonObject {
    return this.#rest;
  }

  /** What must be noted to write the value again. */
  notes(): Pick<Notes, "fields" | "absent"> {
    return { fields: this.#rest, absent: this.#absent };
  }
}
