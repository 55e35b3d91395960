import { expect, test } from "vitest";
import { convert } from "../../convert/convert.js";

test("a failed request is written again as it was", async () => {
  const input = '{"message":"the stream ended before messageStop"}';
  const { output, losses } = await convert(input, { from: "bedrock", to: "bedrock" });
  expect([JSON.parse(output), losses]).toEqual([JSON.parse(input), []]);
});
