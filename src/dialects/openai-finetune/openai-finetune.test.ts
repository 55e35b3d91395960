import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { refusalsOf } from "../../../test/fakes/openai-finetune.js";
import { anything } from "../../../test/generate/anything.js";
import { transcript } from "../../../test/generate/conversations.js";
import { convert } from "../../convert/convert.js";

const fixtures = new URL("../../../conformance/openai-finetune/", import.meta.url);

test.each(readdirSync(new URL("written/", fixtures)))("%s follows the rules of training files", (file) => {
  expect(refusalsOf(readFileSync(new URL(`written/${file}`, fixtures), "utf8"))).toEqual([]);
});

test("every example of a generated conversation follows the rules", async () => {
  let examples = 0;
  await fc.assert(
    fc.asyncProperty(anything, async (messages) => {
      const { output } = await convert(transcript(messages), { from: "openclaw", to: "openai-finetune" });
      expect(refusalsOf(output)).toEqual([]);
      if (output !== "") examples++;
    }),
    { numRuns: 100 },
  );
  expect(examples).toBeGreaterThan(30);
});

test("the tools of a request of any API become the example's tools", async () => {
  const request = {
    model: "m",
    max_tokens: 10,
    tools: [{ name: "read", description: "Reads.", input_schema: { type: "object" } }],
    messages: [
      { role: "user", content: "hi" },
      { role: "assistant", content: [{ type: "text", text: "hello" }] },
    ],
  };
  const { output } = await convert(JSON.stringify(request), { from: "anthropic", to: "openai-finetune" });
  expect(JSON.parse(output)).toEqual({
    messages: [
      { role: "user", content: "hi" },
      { role: "assistant", content: "hello" },
    ],
    tools: [
      { type: "function", function: { name: "read", description: "Reads.", parameters: { type: "object" } } },
    ],
  });
});
