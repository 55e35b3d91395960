import { describe, expect, test } from "vitest";
import { repair } from "./repair.js";

describe("known mistakes", () => {
  test("are not looked for in records that carry escrow: it goes by the records as they stand", async () => {
    const text = JSON.stringify([
      { role: "assistant", content: [{ type: "toolCall", id: "c", name: "t", arguments: {} }] },
      {
        role: "toolResult",
        toolCallId: "c",
        "x-dragoman": { span: 1, of: ["toolResult"], messages: [{ from: 0 }] },
      },
    ]);
    const { output, changes } = await repair(text, { from: "clawtools" });
    expect({ output, changes }).toEqual({ output: text, changes: [] });
  });

  test("of which an API wants nothing to be seen are no change", async () => {
    const result = { role: "toolResult", toolCallId: "c", toolName: "t", content: [], isError: false };
    const asks = { role: "assistant", content: [{ type: "toolCall", id: "c", name: "t", arguments: {} }] };
    const text = `${JSON.stringify([asks, result], null, 2)}\n`;
    const mended = await repair(text, { from: "clawtools" });
    expect(mended.changes.map(({ code }) => code)).toEqual(["clawtools/mended"]);
    const { output, changes } = await repair(text, { from: "clawtools", for: "google" });
    expect({ output, changes }).toEqual({ output: text, changes: [] });
  });
});
