import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { convert } from "../../../src/convert/convert.js";
import { detect } from "../../../src/convert/detect.js";
import { isObject, type JsonObject } from "../../../src/core/json/value.js";
import { jsonOf } from "../../conformance/dialect-laws.js";
import { corpus } from "../../support/corpus.js";

const folder = corpus("agents/agent-sessions/opencode");

function readJson(path: string): JsonObject {
  const value: unknown = JSON.parse(readFileSync(path, "utf8"));
  return isObject(value) ? value : {};
}

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  const names = readdirSync(path, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".json")).sort();
}

/** The documents that `opencode export` would write for the sessions of a store, which has a file for each object. */
function exportsOf(store: string): { name: string; text: string }[] {
  const parts = filesBelow(join(store, "part")).map((name) => ({
    folder: dirname(name),
    part: readJson(join(store, "part", name)),
  }));
  return filesBelow(join(store, "session")).map((name) => {
    const info = readJson(join(store, "session", name));
    const id = String(info["id"]);
    const messages = filesBelow(join(store, "message", id)).map((message) => {
      const own = readJson(join(store, "message", id, message));
      const isOwn = ({ folder, part }: (typeof parts)[number]) =>
        folder === own["id"] || (folder === "." && part["messageID"] === own["id"]);
      return { info: own, parts: parts.filter(isOwn).map(({ part }) => part) };
    });
    return { name, text: JSON.stringify({ info, messages }) };
  });
}

describe.skipIf(folder === undefined)("recorded sessions of opencode", () => {
  const documents = ["storage_legacy", "storage_v2"].flatMap((store) => exportsOf(join(folder ?? "", store)));

  test("there are some", () => expect(documents.length).toBe(3));

  test.each(documents)("$name", async ({ text }) => {
    expect((await detect(text))[0]).toEqual({ dialect: "opencode", confidence: 0.98 });

    const same = await convert(text, { from: "opencode", to: "opencode" });
    expect(jsonOf(same.output)).toEqual(jsonOf(text));
    expect(same.losses).toEqual([]);

    for (const escrow of [false, true]) {
      const there = await convert(text, { from: "opencode", to: "openclaw", escrow });
      const back = await convert(there.output, { from: "openclaw", to: "opencode", escrow });
      expect(jsonOf(back.output)).toEqual(jsonOf(text));
    }
  });
});
