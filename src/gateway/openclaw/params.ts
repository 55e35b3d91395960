import { isBoolean, isNumber, isString, type JsonObject } from "../../core/json/value.js";
import { badRequest } from "../refusals.js";

/** Reads the parameters of a method. A value of the wrong type is refused, not ignored. */
export class Params {
  readonly #method: string;
  readonly #given: JsonObject;

  constructor(method: string, given: JsonObject) {
    this.#method = method;
    this.#given = given;
  }

  get isEmpty(): boolean {
    return Object.keys(this.#given).length === 0;
  }

  has(name: string): boolean {
    const value = this.#given[name];
    return value !== undefined && value !== null;
  }

  get(name: string): unknown {
    return this.#given[name];
  }

  text(name: string): string {
    const value = this.optionalText(name);
    if (value === undefined || value === "") throw this.#invalid(`must have required property '${name}'`);
    return value;
  }

  optionalText(name: string): string | undefined {
    return this.#read(name, isString, "string");
  }

  count(name: string, otherwise: number, most: number): number {
    const value = this.#read(name, isNumber, "integer") ?? otherwise;
    if (!Number.isInteger(value) || value < 0) throw this.#invalid(`at /${name}: must be integer`);
    return Math.min(value, most);
  }

  flag(name: string): boolean {
    return this.#read(name, isBoolean, "boolean") ?? false;
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.optionalText(name);
    const found = choices.find((choice) => choice === value);
    if (value !== undefined && found === undefined) {
      throw this.#invalid(`at /${name}: must be equal to one of the allowed values`);
    }
    return found;
  }

  /** Refuses parameters that ask for what is not served. */
  refuse(names: readonly string[]): void {
    const found = names.find((name) => this.has(name) && this.#given[name] !== false);
    if (found !== undefined) throw this.#invalid(`at /${found}: not supported by this gateway`);
  }

  #read<T>(name: string, is: (value: unknown) => value is T, type: string): T | undefined {
    const value = this.#given[name];
    if (value === undefined || value === null) return undefined;
    if (!is(value)) throw this.#invalid(`at /${name}: must be ${type}`);
    return value;
  }

  #invalid(why: string): Error {
    return badRequest(`invalid ${this.#method} params: ${why}`);
  }
}
