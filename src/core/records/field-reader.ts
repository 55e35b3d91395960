import { DragomanError } from "../error.js";
import { isString, type JsonObject, own } from "../json/value.js";

type Fits<T> = (value: unknown) => value is T;

/**
 * Reads a record field by field. The unread fields and the list of filled-in fields are together the record's deviation
 * (`deviation.ts`), found without encoding the message again to compare.
 */
export class FieldReader {
  readonly #at: string;
  readonly #rest: JsonObject;
  readonly #absent: string[] = [];
  /** Pointers to message fields that the record lacked. */
  readonly synthesised: string[] = [];

  /** `at` is the record's pointer, for errors. */
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

  /** `{ name: value }` if the field is valid; an invalid one stays unread. */
  optional<N extends string, T>(name: N, fits: Fits<T>): { [K in N]?: T };
  optional(name: string, fits: Fits<unknown>): JsonObject {
    return fits(this.peek(name)) ? { [name]: this.take(name) } : {};
  }

  /** A field that the model requires. Throws if it is invalid. */
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

  /** Notes a field that we would write and the record lacks. */
  absent(name: string): void {
    this.#absent.push(name);
  }

  /** The same for a field that the model requires. */
  missing<T>(name: string, neutral: T, pointer = `/${name}`): T {
    this.absent(name);
    this.synthesised.push(pointer);
    return neutral;
  }

  /** The unread fields. */
  get rest(): JsonObject {
    return this.#rest;
  }

  /** The notes needed to write the record back. */
  notes(): { fields: JsonObject; absent: string[] } {
    return { fields: this.#rest, absent: this.#absent };
  }
}
