import { expect, test } from "vitest";
import { DragomanError } from "../../core/error.js";
import { clineFileName } from "./file-name.js";

test("every kind of run has its file in the folder of the lead's session", () => {
  expect(clineFileName({ sessionId: "s1", agent: "lead" })).toBe("s1/s1.messages.json");
  expect(clineFileName({ sessionId: "s1", agent: "subagent", agentId: "agent_7" })).toBe(
    "s1/agent_7.messages.json",
  );
  expect(clineFileName({ sessionId: "s1", agent: "teammate", agentId: "ann", nano: "x7Gh2k" })).toBe(
    "s1/ann__x7Gh2k.messages.json",
  );
});

test.each(["", ".", "..", "a/b", "..\\b", "a\0"])("%j is no name", (sessionId) => {
  expect(() => clineFileName({ sessionId, agent: "lead" })).toThrow(DragomanError);
});
