import { expect, test } from "vitest";
import { answer, says } from "../../../../test/fakes/scripted-model.js";
import { payloadOf } from "./answer-payload.js";

test("people see the words of an answer, and nothing else", () => {
  expect(
    payloadOf(
      answer([
        { type: "thinking", thinking: "secret" },
        { type: "text", text: "Let me look." },
        { type: "toolCall", id: "c", name: "exec", arguments: { command: "ls" } },
      ]),
    ),
  ).toEqual({ text: "Let me look." });
  expect(payloadOf(answer([{ type: "toolCall", id: "c", name: "exec", arguments: {} }]))).toBeUndefined();
  expect(payloadOf({ role: "user", content: "x", timestamp: 1 })).toBeUndefined();
});

test("an answer that broke off says so, without the reason", () => {
  expect(payloadOf({ ...says("half"), stopReason: "error", errorMessage: "ECONNRESET 10.0.0.1" })).toEqual({
    text: "half\n\n(Sorry, my answer was cut off here.)",
    isError: true,
  });
  expect(payloadOf(answer([], { stopReason: "error", errorMessage: "key sk-1" }))).toEqual({
    text: "Sorry, something went wrong and I couldn't answer. Please try again.",
    isError: true,
  });
  expect(payloadOf({ ...says("long"), stopReason: "length" })).toEqual({
    text: "long\n\n(My answer got too long, so it ends here.)",
  });
  expect(payloadOf(answer([], { stopReason: "aborted" }))).toBeUndefined();
});

test("a failure is told in plain words", () => {
  const error = (code: string) =>
    payloadOf({ role: "error", content: "/home/x: boom", code, timestamp: 1 })?.text;
  expect(error("provider/http")).toBe(
    "Sorry, I can't answer right now because my model isn't available. Please try again later.",
  );
  expect(error("agent/max-turns")).toBe(
    "I stopped here because this took too many steps. Send me a message and I'll continue.",
  );
  const failed = answer([], {
    stopReason: "error",
    errorMessage: "/home/x",
    ext: { failure: { code: "provider/http" } },
  });
  expect(payloadOf(failed)).toEqual({ text: error("provider/http"), isError: true });
  expect(error("agent/length-limit")).toBe(
    "I had to stop here because my answer got too long. Could you ask for a smaller part at a time?",
  );
  expect(error("agent/not-stored")).toBe(
    "Sorry, something went wrong and I couldn't answer. Please try again.",
  );
});

test("a failure that does not end the run is not told", () => {
  const message = { role: "error", content: "x", code: "agent/not-compacted", timestamp: 1 } as const;
  expect(payloadOf(message)).toBeUndefined();
});
