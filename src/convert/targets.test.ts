import { expect, test } from "vitest";
import { load } from "./detect.js";
import { byLosses, compareTargets, type Target } from "./targets.js";

const text = '{"role":"user","content":"Hello","timestamp":1768469400000}\n';

async function* open(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

test("every dialect that can be written is compared, with its losses by kind", async () => {
  const counts: number[] = [];
  const targets: Target[] = [];
  const options = { from: await load("openclaw"), onMessages: (messages: number) => counts.push(messages) };
  for await (const target of compareTargets(open, options)) targets.push(target);
  targets.sort(byLosses);
  expect(targets.length).toBeGreaterThan(20);
  expect(new Set(counts)).toEqual(new Set([1]));
  expect(targets[0]).toMatchObject({ losses: { dropped: 0, approximated: 0, synthesised: 0 }, total: 0 });
  expect(targets.find(({ dialect }) => dialect === "openclaw")?.total).toBe(0);
  expect(targets.find(({ dialect }) => dialect === "clawtools")).toMatchObject({
    title: "clawtools message array",
    losses: { dropped: 1 },
    kinds: [{ severity: "dropped", count: 1, what: "timestamp (1768469400000)" }],
  });
});

test("losses of the source itself are losses of every target", async () => {
  const missing = () => [{ at: "", what: "turns before the file", why: "x", severity: "dropped" as const }];
  for await (const { total } of compareTargets(open, { from: await load("openclaw"), missing })) {
    expect(total).toBeGreaterThan(0);
  }
});
