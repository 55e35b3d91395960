import { expect, test } from "vitest";
import { convert } from "../../convert/convert.js";

const line = (payload: object) =>
  JSON.stringify({ timestamp: "2026-03-02T09:00:00.000Z", type: "compacted", payload });

async function lossesOf(payload: object, options: { to: "openclaw" | "codex"; escrow?: boolean }) {
  const { losses } = await convert(line(payload), { from: "codex", ...options });
  return losses;
}

test("after a compaction without a history, Codex still shows the user's messages", async () => {
  const open = { message: "Short" };
  expect(await lossesOf(open, { to: "openclaw" })).toEqual([
    {
      at: "/0",
      what: "the user's messages before the compaction",
      why: "Codex still shows them to the model, and lines have no ids by which to name them",
      severity: "approximated",
    },
  ]);
  expect(await lossesOf(open, { to: "codex" })).toEqual([]);
  expect(await lossesOf(open, { to: "openclaw", escrow: true })).toEqual([]);
  const closed = { ...open, replacement_history: [] };
  expect(await lossesOf(closed, { to: "openclaw" })).toEqual([]);
});
