import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { convert } from "../../src/convert/convert.js";
import { DragomanError } from "../../src/core/index.js";
import { isObject, setOwn } from "../../src/core/json/value.js";
import { json } from "../generate/messages.js";

const folder = fileURLToPath(new URL("../../conformance/cline/", import.meta.url));
const texts = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((file) => readFileSync(`${folder}${file}`, "utf8"));

/** Every place in a document that can be given another value, or taken away. */
function placesIn(value: unknown): [object: unknown[] | Record<string, unknown>, key: string][] {
  if (Array.isArray(value)) {
    return value
      .flatMap((member, index) => [[value, String(index)] as const, ...placesIn(member)])
      .map(([at, key]) => [at, key]);
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => [[value, key], ...placesIn(member)]);
}

const surprise = fc.oneof(
  json,
  fc.constantFrom(
    undefined,
    null,
    "",
    0,
    [],
    {},
    [{ type: "text" }],
    { role: "user", content: "x" },
    "tool_result",
    "image",
    "user",
  ),
);

test("a file in which something is not as expected is refused with its place, or comes back as it was", async () => {
  const ends = { same: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...texts), fc.nat(), surprise, async (text, where, value) => {
      const document: unknown = JSON.parse(text);
      const places = placesIn(document);
      const [object, key] = places[where % places.length] ?? [];
      if (object === undefined || key === undefined) return;
      if (Array.isArray(object)) object.splice(Number(key), 1, ...(value === undefined ? [] : [value]));
      else if (value === undefined) Reflect.deleteProperty(object, key);
      else setOwn(object, key, value);
      const input = JSON.stringify(document);
      const outcome = await convert(input, { from: "cline", to: "cline" }).catch((error: unknown) => error);
      if (outcome instanceof DragomanError) {
        expect(outcome).toMatchObject({ at: expect.any(String), line: 1, column: expect.any(Number) });
        ends.refused++;
      } else {
        expect(outcome).toMatchObject({ losses: [] });
        expect(isObject(outcome) && JSON.parse(String(outcome["output"]))).toEqual(JSON.parse(input));
        ends.same++;
      }
    }),
    { numRuns: 1500 },
  );
  expect(ends.same).toBeGreaterThan(700);
  expect(ends.refused).toBeGreaterThan(100);
});
