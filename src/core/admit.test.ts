import { expect, test } from "vitest";
import { admit, claim, release } from "./admit.js";
import type { TextContent } from "./types.js";

test("a field that was filled in is written once it is claimed", () => {
  const message = admit({ role: "toolResult", content: [] }, "openclaw");
  expect(release(message, "openclaw")).toEqual({ role: "toolResult", content: [] });
  const claimed = claim({ ...message, toolCallId: "c1" }, "/toolCallId");
  expect(claimed.ext).toEqual({
    synthesised: ["/toolName", "/isError", "/timestamp"],
    openclaw: { absent: ["/toolName", "/isError", "/timestamp"] },
  });
  expect(release(claimed, "openclaw")).toEqual({ role: "toolResult", content: [], toolCallId: "c1" });
});

test("what was there is not touched", () => {
  const ext = { synthesised: ["/timestamp"], cline: { a: 1, absent: ["id"] } };
  const message = admit({ role: "user", content: "x", timestamp: 1, ext }, "openclaw");
  expect(claim(message, "/toolCallId")).toEqual(message);
  const block: TextContent = { type: "text", text: "a block" };
  expect(claim(block, "id")).toBe(block);
});
