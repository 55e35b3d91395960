import { expect, test } from "vitest";
import { AnswerBuilder, answerHeader } from "../../core/stream/builder.js";
import { ToolNames } from "./names.js";

const rule = { pattern: /^[A-Za-z0-9_-]+$/, maxLength: 20, words: "" };
const origin = {
  provider: "p",
  model: "m",
  timestamp: 1,
  priceKnown: true,
  price: () => {
    throw new Error("nothing is priced here");
  },
};

test("a name the API takes stays as it is; another one is distinct and comes back", () => {
  const names = new ToolNames(rule);
  expect(names.toSent("read")).toBe("read");
  const dotted = names.toSent("weather.get");
  const scored = names.toSent("weather_get");
  expect(dotted).toMatch(/^weather_get_[0-9a-z]+$/);
  expect(scored).toBe("weather_get");
  expect([names.toOriginal(dotted), names.toOriginal(scored), names.toOriginal("read")]).toEqual([
    "weather.get",
    "weather_get",
    "read",
  ]);
});

test("an answer names the tools as the caller does, in every event", () => {
  const names = new ToolNames(rule);
  const name = names.toSent("weather.get");
  const builder = new AnswerBuilder(answerHeader(origin, "a"));
  const index = builder.open({ type: "toolCall", id: "c", name, arguments: {} });
  const started = builder.drain().map((event) => names.restore(event));
  builder.delta(index, '{"city":"Paris"}');
  builder.close(index);
  builder.done("toolUse");
  const ended = builder.drain().map((event) => names.restore(event));
  expect(started.at(-1)).toMatchObject({ type: "toolcall_start", name: "weather.get" });
  expect(ended.at(-2)).toMatchObject({ type: "toolcall_end", toolCall: { name: "weather.get" } });
  expect(ended.at(-1)).toMatchObject({
    type: "done",
    message: { content: [{ type: "toolCall", name: "weather.get", arguments: { city: "Paris" } }] },
  });
});
