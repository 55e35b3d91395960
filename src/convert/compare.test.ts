import { describe, expect, test } from "vitest";
import type { AgentMessage } from "../core/types.js";
import { align, differences } from "./compare.js";

describe("differences", () => {
  test.each<[string, unknown, unknown, unknown[]]>([
    ["nothing", { a: [1, { b: "x" }] }, { a: [1, { b: "x" }] }, []],
    ["a field that is gone", { a: { b: 1, c: 2 } }, { a: { c: 2 } }, [{ path: ["a", "b"], kind: "missing" }]],
    ["a field that came", { a: 1 }, { a: 1, b: 2 }, [{ path: ["b"], kind: "extra" }]],
    ["a value that changed", { a: [1, 2] }, { a: [1, 3] }, [{ path: ["a", 1], kind: "changed" }]],
    ["a shorter list", [1, 2], [1], [{ path: [1], kind: "missing" }]],
    ["a longer list", [1], [1, 2], [{ path: [1], kind: "extra" }]],
    [
      "a call before another",
      [
        { type: "toolCall", id: "a" },
        { type: "toolCall", id: "b" },
      ],
      [{ type: "toolCall", id: "b" }],
      [{ path: [0], kind: "missing" }],
    ],
    [
      "a call with another id",
      [
        { type: "toolCall", id: "a" },
        { type: "toolCall", id: "b" },
      ],
      [{ type: "toolCall", id: "c" }],
      [
        { path: [0, "id"], kind: "changed" },
        { path: [1], kind: "missing" },
      ],
    ],
    ["another kind of value", { a: [] }, { a: {} }, [{ path: ["a"], kind: "changed" }]],
    ["null is a value", { a: null }, { a: 0 }, [{ path: ["a"], kind: "changed" }]],
    ["__proto__ is a key", JSON.parse('{"__proto__":1}'), {}, [{ path: ["__proto__"], kind: "missing" }]],
  ])("%s", (_, source, back, expected) => expect(differences(source, back)).toEqual(expected));
});

describe("align", () => {
  const roles = (...names: string[]): AgentMessage[] =>
    names.map((role) => ({ role: role as "user", content: "", timestamp: 0 }));

  test.each([
    ["one to one", ["user", "assistant"], ["user", "assistant"], [0, 1]],
    ["a message that is gone", ["user", "status", "assistant"], ["user", "assistant"], [0, undefined, 1]],
    ["a message that came", ["user", "assistant"], ["session", "user", "assistant"], [1, 2]],
    ["two that became one", ["assistant", "assistant"], ["assistant"], [0, undefined]],
    ["an order that changed", ["user", "assistant"], ["assistant", "user"], [1, undefined]],
  ])("%s", (_, source, back, expected) => expect(align(roles(...source), roles(...back))).toEqual(expected));
});
