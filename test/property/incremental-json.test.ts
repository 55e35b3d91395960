import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DragomanError } from "../../src/core/error.js";
import { IncrementalJson } from "../../src/core/json/incremental.js";
import { runs } from "../generate/runs.js";
import { jsonText } from "../support/json-text.js";

/** The law, written without the code under test: what `partial` shows must still be there, and complete, in `final`. */
function isPrefix(partial: unknown, final: unknown): boolean {
  if (typeof partial === "string") return typeof final === "string" && isStringPrefix(partial, final);
  if (Array.isArray(partial)) {
    if (!Array.isArray(final) || partial.length > final.length) return false;
    return partial.every((member, i) => {
      const isLast = i === partial.length - 1;
      return isLast ? isPrefix(member, final[i]) : isSame(member, final[i]);
    });
  }
  if (typeof partial === "object" && partial !== null) {
    if (typeof final !== "object" || final === null || Array.isArray(final)) return false;
    const unfinished = Object.keys(partial).filter((key) => {
      return !Object.hasOwn(final, key) || !isSame(Reflect.get(partial, key), Reflect.get(final, key));
    });
    if (unfinished.length > 1) return false;
    return unfinished.every(
      (key) => Object.hasOwn(final, key) && isPrefix(Reflect.get(partial, key), Reflect.get(final, key)),
    );
  }
  return Object.is(partial, final);
}

function isStringPrefix(partial: string, final: string): boolean {
  const splitsPair = /[\ud800-\udbff]$/.test(partial) && /^[\udc00-\udfff]/.test(final.slice(partial.length));
  return final.startsWith(partial) && !splitsPair;
}

/** Equality of JSON values that sees -0, own `__proto__` members and their order. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return Object.is(a, b);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  return (
    keys.length === others.length &&
    keys.every((key, i) => key === others[i] && isSame(Reflect.get(a, key), Reflect.get(b, key)))
  );
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 });

/** Cuts the text into pieces of these sizes, over and over. */
function cut(text: string, pieceSizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, i = 0; at < text.length; i++) {
    const size = pieceSizes[i % pieceSizes.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

function outcome(read: () => unknown): { value: unknown } | { error: unknown } {
  try {
    return { value: read() };
  } catch (error) {
    return { error };
  }
}

describe("IncrementalJson", () => {
  test("every partial value is a prefix of the final one", () => {
    let properPrefixes = 0;
    let identical = 0;
    fc.assert(
      fc.property(jsonText({ repeatedKeys: false }), sizes, (text, pieceSizes) => {
        const final: unknown = JSON.parse(text);
        const json = new IncrementalJson();
        let root: unknown;
        for (const piece of cut(text, pieceSizes)) {
          json.push(piece);
          const partial = json.value;
          if (partial === undefined) continue;
          expect(isPrefix(partial, final), `${JSON.stringify(partial)} of ${text}`).toBe(true);
          if (!isSame(partial, final)) properPrefixes++;
          if (typeof root === "object" && root !== null) {
            expect(partial).toBe(root);
            identical++;
          }
          root = partial;
        }
        if (typeof final !== "number") expect(isSame(json.value, final)).toBe(true);
        expect(json.error).toBeUndefined();
      }),
      { numRuns: runs(1500) },
    );
    expect(properPrefixes).toBeGreaterThan(runs(20_000));
    expect(identical).toBeGreaterThan(runs(20_000));
  });

  test("finish gives what JSON.parse gives, and looking does not change it", () => {
    let looks = 0;
    let repeated = 0;
    fc.assert(
      fc.property(
        jsonText({ repeatedKeys: true }),
        sizes,
        fc.infiniteStream(fc.boolean()),
        (text, pieceSizes, coin) => {
          const final: unknown = JSON.parse(text);
          const watched = new IncrementalJson();
          const alone = new IncrementalJson();
          for (const piece of cut(text, pieceSizes)) {
            watched.push(piece);
            alone.push(piece);
            if (coin.next().value && watched.value !== undefined) looks++;
          }
          if (text.includes('"twice"')) repeated++;
          expect(watched.text).toBe(text);
          if (typeof final !== "number") expect(isSame(watched.value, final), text).toBe(true);
          expect(isSame(watched.finish(), final)).toBe(true);
          expect(isSame(alone.finish(), final)).toBe(true);
          expect(isSame(alone.value, final)).toBe(true);
        },
      ),
      { numRuns: runs(1500) },
    );
    expect(looks).toBeGreaterThan(runs(10_000));
    expect(repeated).toBeGreaterThan(runs(100));
  });

  test("a damaged text is refused exactly when JSON.parse refuses it", () => {
    const damage = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      remove: fc.integer({ min: 0, max: 2 }),
      insert: fc.constantFrom(
        "",
        "",
        ",",
        "}",
        "]",
        "[",
        "{",
        '"',
        ":",
        "\\",
        "\n",
        "0",
        "-",
        ".",
        "e",
        "x",
        "'",
      ),
    });
    let refused = 0;
    let accepted = 0;
    let refusedEarly = 0;
    fc.assert(
      fc.property(
        jsonText({ repeatedKeys: true }),
        damage,
        sizes,
        (intact, { at, remove, insert }, pieceSizes) => {
          const start = Math.floor(at * intact.length);
          const text = intact.slice(0, start) + insert + intact.slice(start + remove);
          const json = new IncrementalJson();
          for (const piece of cut(text, pieceSizes)) {
            json.push(piece);
            void json.value;
          }
          const expected = outcome(() => JSON.parse(text));
          const actual = outcome(() => json.finish());
          if ("value" in expected) {
            accepted++;
            expect("value" in actual && isSame(actual.value, expected.value), text).toBe(true);
            expect(json.error, text).toBeUndefined();
            return;
          }
          refused++;
          if (!("error" in actual) || !(actual.error instanceof DragomanError)) expect.unreachable(text);
          const { error } = actual;
          expect(error.code).toBe("json/syntax");
          expect(error.line).toBeGreaterThan(0);
          // What it would say had our own reader found nothing wrong.
          expect(error.message, text).not.toBe("expected the end of the text, found the end of the text");
          const isAtEnd = error.message.endsWith("found the end of the text");
          expect(json.error === undefined, text).toBe(isAtEnd);
          if (json.error === undefined) return;
          refusedEarly++;
          expect(json.error).toMatchObject({
            message: error.message,
            line: error.line,
            column: error.column,
          });
        },
      ),
      { numRuns: runs(3000) },
    );
    expect(refused).toBeGreaterThan(runs(2000));
    expect(refusedEarly).toBeGreaterThan(runs(1500));
    expect(accepted).toBeGreaterThan(runs(200));
  });
});
