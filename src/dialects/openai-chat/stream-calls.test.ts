import { describe, expect, test } from "vitest";
import type { Origin } from "../../core/api/provider.js";
import { priced } from "../../core/message/usage.js";
import type { AssistantMessage } from "../../core/types.js";
import { ChatReader } from "./stream-reader.js";

const origin: Origin = {
  provider: "p",
  model: "m",
  timestamp: 1_700_000_000_000,
  price: (tokens) => priced(tokens, { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 }),
  priceKnown: true,
};

const delta = (fields: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason }],
});
const call = (fields: object) => delta({ tool_calls: [fields] });
const stop = delta({}, "stop");
const calls = delta({}, "tool_calls");

function read(...payloads: unknown[]): AssistantMessage {
  const reader = new ChatReader(origin);
  for (const payload of payloads) reader.push(payload);
  reader.finish();
  return reader.message;
}

const content = (...payloads: unknown[]) => read(...payloads).content;

describe("tool calls", () => {
  const one = (id: string, name: string, given: object) => ({ type: "toolCall", id, name, arguments: given });

  test.each<[string, unknown[]]>([
    [
      "in pieces",
      [
        call({ index: 0, id: "a", type: "function", function: { name: "f", arguments: "" } }),
        call({ index: 0, function: { arguments: '{"x"' } }),
        call({ index: 0, function: { arguments: ":1}" } }),
      ],
    ],
    ["whole", [call({ index: 0, id: "a", function: { name: "f", arguments: '{"x":1}' } })]],
    ["whole, without an index", [call({ id: "a", function: { name: "f", arguments: '{"x":1}' } })]],
    [
      "in pieces, without an index",
      [
        call({ id: "a", function: { name: "f" } }),
        call({ function: { arguments: '{"x"' } }),
        call({ id: "a", function: { arguments: ":1}" } }),
      ],
    ],
    [
      "with a late name",
      [
        call({ index: 0, id: "a", function: { arguments: '{"x"' } }),
        call({ index: 0, function: { name: "f", arguments: ":1}" } }),
      ],
    ],
    [
      "with a late id",
      [
        call({ index: 0, function: { name: "f", arguments: '{"x"' } }),
        call({ index: 0, id: "a", function: { arguments: ":1}" } }),
      ],
    ],
    [
      "with everything repeated",
      [
        call({ index: 0, id: "a", function: { name: "f", arguments: '{"x"' } }),
        call({ index: 0, id: "a", function: { name: "f", arguments: ":1}" } }),
      ],
    ],
    [
      "with another id on each piece",
      [
        call({ index: 0, id: "a", function: { name: "f", arguments: '{"x"' } }),
        call({ index: 0, id: "b", function: { name: null, arguments: ":1}" } }),
      ],
    ],
    [
      "with empty names after the first",
      [
        call({ index: 0, id: "a", function: { name: "f", arguments: "" } }),
        call({ index: 0, id: "", function: { name: "", arguments: '{"x":1}' } }),
      ],
    ],
    [
      "with arguments that are an object",
      [call({ index: 0, id: "a", function: { name: "f", arguments: { x: 1 } } })],
    ],
  ])("%s", (_, payloads) => {
    const message = read(...payloads, calls);
    expect(message.content).toEqual([one("a", "f", { x: 1 })]);
    expect(message.stopReason).toBe("toolUse");
  });

  test("two at once, their pieces mixed", () => {
    expect(
      content(
        delta({
          tool_calls: [
            { index: 0, id: "a", function: { name: "f", arguments: "{" } },
            { index: 1, id: "b", function: { name: "g", arguments: "{" } },
          ],
        }),
        call({ index: 1, function: { arguments: "}" } }),
        call({ index: 0, function: { arguments: "}" } }),
        calls,
      ),
    ).toEqual([one("a", "f", {}), one("b", "g", {})]);
  });

  test("two that both have the index 0", () => {
    expect(
      content(
        call({ index: 0, id: "a", function: { name: "f", arguments: "{}" } }),
        call({ index: 0, id: "b", function: { name: "f", arguments: "{}" } }),
        calls,
      ),
    ).toEqual([one("a", "f", {}), one("b", "f", {})]);
  });

  test("without an id get one, marked as made up", () => {
    const message = read(
      { id: "r1", ...call({ function: { name: "f", arguments: "{}" } }) },
      call({ function: { name: "f", arguments: "{}" } }),
      calls,
    );
    expect(message.content).toEqual([one("r1-0", "f", {}), one("r1-1", "f", {})]);
    expect(message.ext?.synthesised).toEqual(["/usage", "/content/0/id", "/content/1/id"]);
  });

  test("the one call of old", () => {
    const message = read(
      delta({ function_call: { name: "f", arguments: '{"x"' } }),
      delta({ function_call: { arguments: ":1}" } }, "function_call"),
    );
    expect(message.content).toEqual([one("call-1700000000000-0", "f", { x: 1 })]);
    expect(message.stopReason).toBe("toolUse");
  });

  test("keep Google's signature and what else the server says of them", () => {
    expect(
      content(
        call({
          index: 0,
          id: "a",
          function: { name: "f", arguments: "{}" },
          extra_content: { google: { thought_signature: "s" } },
          x: 1,
        }),
        calls,
      ),
    ).toEqual([
      { ...one("a", "f", {}), thoughtSignature: "s", ext: { "openai-chat": { fields: { x: 1 } } } },
    ]);
  });

  test("whose arguments are no JSON say so", () => {
    expect(
      content(call({ index: 0, id: "a", function: { name: "f", arguments: '{"x":' } }), delta({}, "length")),
    ).toMatchObject([{ arguments: {}, argumentsError: expect.stringContaining("not JSON") }]);
  });

  test("make `stop` toolUse, and the raw word is kept", () => {
    const message = read(call({ index: 0, id: "a", function: { name: "f", arguments: "{}" } }), stop);
    expect(message).toMatchObject({
      stopReason: "toolUse",
      ext: { "openai-chat": { finishReason: "stop" } },
    });
  });
});
