import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DragomanError } from "../../core/error.js";
import { isObject, setOwn } from "../../core/json/value.js";
import { readRequest } from "./read-request.js";
import { request } from "./request.js";

const folder = fileURLToPath(new URL("../../../conformance/openai-chat/", import.meta.url));
const texts = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((file) => readFileSync(`${folder}${file}`, "utf8"));

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).map((json): unknown => JSON.parse(JSON.stringify(json))),
  fc.constantFrom<unknown>("", null, [], {}, "user", "assistant", "tool", "text", [
    { type: "text", text: "x" },
  ]),
);
const key = fc.constantFrom(
  "role",
  "content",
  "name",
  "tool_calls",
  "id",
  "type",
  "reasoning",
  "x",
  "__proto__",
);

/** The objects and lists in a JSON value, itself included. */
function inner(node: unknown): object[] {
  if (typeof node !== "object" || node === null) return [];
  return [node, ...Object.values(node).flatMap(inner)];
}

test("a body with anything changed anywhere is refused, or comes back as it was", () => {
  const seen = { same: 0, refused: 0 };
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.nat(),
      fc.nat(),
      fc.option(key),
      value,
      (text, where, at, added, said) => {
        const body: unknown = JSON.parse(text);
        const nodes = inner(body);
        const node = nodes[where % nodes.length] ?? {};
        const keys = Object.keys(node);
        const changed = added !== null && isObject(node) ? added : (keys[at % keys.length] ?? "x");
        if (isObject(node)) setOwn(node, changed, said);
        else Reflect.set(node, Number(changed) || 0, said);
        try {
          const written = request(readRequest(body), {}, () => undefined);
          expect(JSON.parse(JSON.stringify(written))).toEqual(body);
          seen.same++;
        } catch (error) {
          if (!(error instanceof DragomanError)) throw error;
          expect(error.code).toBe("model/invalid");
          expect(error.at).toMatch(/^(\/|$)/);
          seen.refused++;
        }
      },
    ),
    { numRuns: 1500 },
  );
  expect(seen.same).toBeGreaterThan(800);
  expect(seen.refused).toBeGreaterThan(10);
});
