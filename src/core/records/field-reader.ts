import { DragomanError } from "../error.js";
import { isString, type JsonObject, own } from "../json/value.js";

type Fits<T> = (value: unknown) => value is T;

/**
 * Reads a record field by field. What nobody asked for is left over, and what had to be filled in is listed: together that is
 * the deviation of the record (`deviation.ts`), found without writing it once more to compare.
 */
export class FieldReader {
  readonly #at: string;
  readonly #rest: JsonObject;
  readonly #absent: string[] = [];
  /** Pointers into the message to what the record did not say. */
  readonly synthesised: string[] = [];

  /** `at` is where the record stands, for errors. */
  constructor(record: JsonObject, at = "") {
    this.#at = at;
    this.#rest = { ...record };
  }

  peek(name: string): unknown {
    return own(this.#rest, name);
  }

  take(name: string): unknown {
    const value = this.peek(name);
    this.drop(name);
    return value;
  }

  drop(name: string): void {
    Reflect.deleteProperty(this.#rest, name);
  }

  /** `{ name: value }` if it is there and fits; one that does not fit is left over. */
  optional<N extends string, T>(name: N, fits: Fits<T>): { [K in N]?: T };
  optional(name: string, fits: Fits<unknown>): JsonObject {
    return fits(this.peek(name)) ? { [name]: this.take(name) } : {};
  }

  /** A field that the model requires. One that does not fit cannot be read. */
  required<T>(name: string, fits: Fits<T>, expected: string, neutral: T, pointer = `/${name}`): T {
    const value = this.take(name);
    if (value === undefined) return this.missing(name, neutral, pointer);
    if (fits(value)) return value;
    const found = (JSON.stringify(value) ?? typeof value).slice(0, 40);
    throw new DragomanError("model/invalid", `expected ${expected}, found ${found}`, {
      at: `${this.#at}/${name}`,
    });
  }

  text(name: string, pointer?: string): string {
    return this.required(name, isString, "a string", "", pointer);
  }

  /** Notes a field that we would write, and that this record does not have. */
  absent(name: string): void {
    this.#absent.push(name);
  }

  /** The same for one that the model requires. */
  missing<T>(name: string, neutral: T, pointer = `/${name}`): T {
    this.absent(name);
    this.synthesised.push(pointer);
    return neutral;
  }

  /** All that is left over. */
  get rest(): JsonObject {
    return this.#rest;
  }

  /** What must be noted to write the record again. */
  notes(): { fields: JsonObject; absent: string[] } {
    return { fields: this.#rest, absent: this.#absent };
  }
}
