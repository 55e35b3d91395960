import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DragomanError } from "../../src/core/error.js";
import { IncrementalJson } from "../../src/core/json/incremental.js";
import { parseJson } from "../../src/core/json/parse.js";
import { corpus } from "../support/corpus.js";

const folder = corpus("json-test-suite");

function incrementally(size: number): (text: string) => unknown {
  return (text) => {
    const json = new IncrementalJson();
    for (let at = 0; at < text.length; at += size) {
      json.push(text.slice(at, at + size));
      void json.value;
    }
    const live = json.value;
    const value = json.finish();
    // A number at the top is the one value that only `finish` shows to be over.
    if (typeof value !== "number") expect(live).toStrictEqual(value);
    return value;
  };
}

const readers: [string, (text: string) => unknown][] = [
  ["parseJson", (text) => parseJson(text)],
  ["IncrementalJson, whole", incrementally(Number.POSITIVE_INFINITY)],
  ["IncrementalJson, 1 character at a time", incrementally(1)],
  ["IncrementalJson, 3 characters at a time", incrementally(3)],
  ["IncrementalJson, 7 characters at a time", incrementally(7)],
];

describe.skipIf(folder === undefined)("JSON test suite", () => {
  const files = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith(".json"));
  const textOf = (name: string) => readFileSync(join(folder ?? "", name), "utf8");
  const named = (prefix: string) => files.filter((name) => name.startsWith(prefix));

  test("the folder holds the suite", () => {
    expect([named("y_").length, named("n_").length, named("i_").length]).toEqual([95, 187, 35]);
  });

  describe.each(readers)("%s", (_name, read) => {
    test.for(named("y_"))("accepts %s", (name) => {
      const text = textOf(name);
      expect(read(text)).toStrictEqual(JSON.parse(text));
    });

    test.for(named("n_"))("refuses %s", (name) => {
      const text = textOf(name);
      expect(() => read(text)).toThrow(DragomanError);
    });

    test.for(named("i_"))("answers %s with a value or a DragomanError", (name) => {
      const text = textOf(name);
      let outcome: unknown;
      try {
        outcome = read(text);
      } catch (error) {
        outcome = error;
      }
      if (outcome instanceof DragomanError) expect(outcome.code).toMatch(/^json\//);
      else expect(outcome).toStrictEqual(JSON.parse(text));
    });
  });
});
