import type { JsonObject } from "../../core/json/value.js";
import { type QuestionField, readTyped } from "../../core/message/question.js";
import type { PermissionAnswer, Question } from "../../core/types.js";
import type { Paint } from "../terminal/colour.js";
import { visible } from "./visible.js";

/** What to do after a typed line: show more lines and wait, or answer the question. */
export type FormStep = { lines: string[] } | { answer: PermissionAnswer; values: JsonObject };

/** A question of an MCP server, answered line by line: first whether to answer it, then each field of its form. */
export class Form {
  readonly #question: Question;
  readonly #paint: Paint;
  readonly #values: JsonObject = {};
  #next = -1;

  constructor(question: Question, paint: Paint) {
    this.#question = question;
    this.#paint = paint;
  }

  /** The line above the input. */
  get hint(): string {
    const field = this.#question.fields[this.#next];
    if (field === undefined)
      return this.#question.url === undefined
        ? "y answer · n decline · then Enter"
        : "y I opened it · n decline · then Enter";
    return field.default === undefined && field.required
      ? "type a value"
      : "type a value, or press Enter to skip";
  }

  /** The question itself. The host of a page is shown first: the rest of a URL can look like anything. */
  get lines(): string[] {
    const { server, message, url } = this.#question;
    const paint = this.#paint;
    return [
      `${paint("yellow", "?")} ${paint("bold", visible(server))} asks: ${visible(message)}`,
      ...(url === undefined
        ? []
        : [`  page on ${paint("bold", visible(new URL(url).host))}: ${visible(url)}`]),
      ...(this.#question.fields.length === 0 ? [] : [paint("dim", "  Do not enter passwords or keys.")]),
    ];
  }

  accept(typed: string): FormStep {
    const field = this.#question.fields[this.#next];
    if (field === undefined) return this.#begin(typed.trim().toLowerCase());
    const isSkipped = typed.trim() === "" && (!field.required || field.default !== undefined);
    const value = isSkipped ? undefined : readTyped(field, typed);
    if (!isSkipped && (value === undefined || (value === "" && field.required)))
      return { lines: this.#fieldLines(field) };
    if (value !== undefined) this.#values[field.name] = value;
    return this.#advance();
  }

  #begin(word: string): FormStep {
    if (word === "n" || word === "no") return { answer: "never", values: {} };
    return word === "y" || word === "yes" ? this.#advance() : { lines: [] };
  }

  #advance(): FormStep {
    this.#next += 1;
    const field = this.#question.fields[this.#next];
    return field === undefined
      ? { answer: "once", values: this.#values }
      : { lines: this.#fieldLines(field) };
  }

  #fieldLines({ title, description, type, options = [], default: preset }: QuestionField): string[] {
    const expected = {
      text: "",
      number: "a number",
      integer: "a whole number",
      boolean: "y or n",
      choice: "one of",
      choices: "any of, with commas",
    }[type];
    const more = [expected, preset === undefined ? "" : `default: ${visible(String(preset))}`].filter(
      (text) => text !== "",
    );
    return [
      `  ${this.#paint("bold", visible(title))}${more.length === 0 ? "" : ` (${more.join("; ")})`}`,
      ...(description === undefined ? [] : [this.#paint("dim", `  ${visible(description)}`)]),
      ...options.map(({ title: name }, index) => `    ${index + 1} ${visible(name)}`),
    ];
  }
}
