import { expect, test } from "vitest";
import { convert } from "./convert.js";

const prompt = { role: "user", content: "Hi", timestamp: 1 };
const shown = { role: "custom", customType: "my/hook", content: "For the model", timestamp: 2 };
const note = { role: "custom", customType: "my/state", data: { open: 1 }, timestamp: 3 };
const source = [prompt, shown, note].map((message) => JSON.stringify(message)).join("\n");

const hidden = (name: string) => ({
  at: "/1",
  what: "the custom message",
  why: `${name} has no such message: it is kept, but the program does not show it to its model`,
  severity: "approximated",
});

test.each(["codex", "claude-code", "gemini-cli", "qwen-code"] as const)(
  "%s keeps a message for the model without showing it, which is a loss",
  async (to) => {
    const { output, losses } = await convert(source, { from: "openclaw", to });
    expect(losses.filter(({ what }) => what === "the custom message")).toEqual([hidden(to)]);
    const again = await convert(output, { from: to, to });
    expect(again.losses).toEqual([]);
  },
);

test("opencode has no place for it", async () => {
  const { losses } = await convert(source, { from: "openclaw", to: "opencode" });
  expect(losses.filter(({ at, what }) => at === "/1" && what === "the custom message")).toEqual([
    {
      at: "/1",
      what: "the custom message",
      why: "an export has only prompts, answers, results and compactions",
      severity: "dropped",
      of: "message",
    },
  ]);
});
