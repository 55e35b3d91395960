import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DragomanError } from "../../src/core/index.js";
import { anthropicApi } from "../../src/dialects/anthropic/index.js";
import { json } from "../generate/messages.js";

const folder = new URL("../../conformance/anthropic/", import.meta.url);
const bodies = readdirSync(folder)
  .filter((file) => file.endsWith(".json") && !file.startsWith("response"))
  .map((file) => readFileSync(new URL(file, folder), "utf8"));

/** Every object and list in a value. */
function containers(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(containers)];
}

const change = fc.record({
  where: fc.nat(),
  which: fc.nat(),
  to: fc.oneof(
    json,
    fc.constantFrom(
      "",
      [],
      {},
      null,
      { type: "text", text: "x" },
      [{ type: "text", text: "x" }],
      "user",
      5000,
    ),
  ),
  what: fc.constantFrom("set", "remove", "add", "repeat"),
});

function apply(body: unknown, { where, which, to, what }: Change): void {
  const all = containers(body);
  const target = all[where % all.length] ?? {};
  const keys = Object.keys(target);
  const key = keys[which % Math.max(1, keys.length)];
  if (what === "add") Reflect.set(target, Array.isArray(target) ? target.length : `x${which % 3}`, to);
  else if (key === undefined) return;
  else if (what === "set") Reflect.set(target, key, to);
  else if (Array.isArray(target) && what === "remove") target.splice(Number(key), 1);
  else if (what === "remove") Reflect.deleteProperty(target, key);
  else if (Array.isArray(target)) target.push(structuredClone(target[Number(key)]));
}

interface Change {
  where: number;
  which: number;
  to: unknown;
  what: string;
}

test("a request that can be read is written again as it was", () => {
  const ends = { same: 0, refused: 0 };
  fc.assert(
    fc.property(
      fc.constantFrom(...bodies),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      (text, changes) => {
        const body: unknown = JSON.parse(text);
        for (const one of changes) apply(body, structuredClone(one));
        const before = JSON.parse(JSON.stringify(body));
        try {
          const call = anthropicApi.readRequest(body);
          expect(JSON.parse(JSON.stringify(anthropicApi.request(call, {}, () => undefined)))).toEqual(before);
          ends.same++;
        } catch (error) {
          if (!(error instanceof DragomanError)) throw error;
          ends.refused++;
        }
      },
    ),
    { numRuns: 3000 },
  );
  expect(ends.same).toBeGreaterThan(1500);
});
