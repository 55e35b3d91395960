import { expect, test } from "vitest";
import { emptyUsage } from "../../core/message/usage.js";
import type { AgentMessage, AssistantMessage, LiveAssistantMessageEvent } from "../../core/types.js";
import type { ConversationEvent } from "../../runtime/types.js";
import { AgentAnswer } from "./agent-answer.js";

function says(text: string, rest: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    role: "assistant",
    content: [{ type: "text", text }],
    api: "a",
    provider: "p",
    model: "m",
    usage: { ...emptyUsage(), input: 2, output: 1, totalTokens: 3 },
    stopReason: "stop",
    timestamp: 1,
    ...rest,
  };
}

const user = (id: string): AgentMessage => ({ role: "user", content: id, timestamp: 1, id });

const runEnd: ConversationEvent = { type: "run_end", runId: "r", seq: 9, outcome: "done" };

/** The last event of the answer to `mine`. */
function lastOf(...seen: (AgentMessage | ConversationEvent)[]): LiveAssistantMessageEvent | undefined {
  const told: LiveAssistantMessageEvent[] = [];
  const answer = new AgentAnswer(says("", { content: [] }), "mine", (event) => told.push(event));
  for (const one of seen) {
    if ("type" in one) answer.onEvent(one);
    else answer.onEntry({ message: one });
  }
  return told.at(-1);
}

test("it begins with the message, and ends where somebody else's does", () => {
  expect(
    lastOf(user("a"), says("to a"), user("mine"), says("to me"), user("b"), says("to b"), runEnd),
  ).toMatchObject({
    type: "done",
    message: { content: [{ type: "text", text: "to me" }], usage: { input: 2, output: 1 } },
  });
});

test("what arrives while its tools run belongs to it", () => {
  const calling = says("Looking.", { stopReason: "toolUse" });
  expect(lastOf(user("mine"), calling, user("b"), says("Found."), runEnd)).toMatchObject({
    type: "done",
    message: {
      content: [
        { type: "text", text: "Looking." },
        { type: "text", text: "\n\nFound." },
      ],
      usage: { input: 4, output: 2, totalTokens: 6 },
    },
  });
});

test("a structured answer is the text of the last turn alone", () => {
  const told: LiveAssistantMessageEvent[] = [];
  const emit = (event: LiveAssistantMessageEvent) => told.push(event);
  const answer = new AgentAnswer(says("", { content: [] }), "mine", emit, { isStructured: true });
  const call = { type: "toolCall" as const, id: "c", name: "read", arguments: {} };
  const calling = says("", { stopReason: "toolUse", content: [{ type: "text", text: "Looking." }, call] });
  for (const message of [user("mine"), calling, says('{"a":1}')]) answer.onEntry({ message });
  answer.onEvent(runEnd);
  expect(told.map(({ type }) => type)).toEqual(["start", "text_start", "text_delta", "text_end", "done"]);
  expect(told.at(-1)).toMatchObject({
    message: { content: [{ type: "text", text: '{"a":1}' }], usage: { input: 4, output: 2 } },
  });
});

test("a run that ends before the message is taken is not its end", () => {
  expect(lastOf(user("a"), runEnd)).toMatchObject({ type: "start" });
});

test("a run that has gone on for too long is an error, also when it ends well", () => {
  const stopped: AgentMessage = { role: "error", content: "too long", code: "agent/max-turns", timestamp: 1 };
  expect(lastOf(user("mine"), says("Looking.", { stopReason: "toolUse" }), stopped, runEnd)).toMatchObject({
    type: "error",
    reason: "error",
    error: { errorMessage: "too long", ext: { failure: { code: "agent/max-turns" } } },
  });
});

test("an error that the run got over is not its end", () => {
  const told: AgentMessage = { role: "error", content: "x", code: "agent/not-compacted", timestamp: 1 };
  expect(lastOf(user("mine"), told, says("Fine."), runEnd)).toMatchObject({ type: "done" });
});

test("calls, what only another API knows, and signatures are left out", () => {
  const content: AssistantMessage["content"] = [
    { type: "thinking", thinking: "Hm.", thinkingSignature: "s" },
    { type: "thinking", thinking: "", redacted: true, thinkingSignature: "s" },
    { type: "opaque", dialect: "d", value: {} },
    { type: "toolCall", id: "c", name: "read", arguments: {} },
    { type: "image", data: "AA==", mimeType: "image/png" },
  ];
  expect(lastOf(user("mine"), says("", { content }), runEnd)).toMatchObject({
    type: "done",
    message: {
      content: [
        { type: "thinking", thinking: "Hm." },
        { type: "image", data: "AA==", mimeType: "image/png" },
      ],
    },
  });
});

test("told again from the transcript, a failed answer has failed, and what has no answer yet is not done", () => {
  const replayed = (...messages: AgentMessage[]) => {
    const told: LiveAssistantMessageEvent[] = [];
    const answer = new AgentAnswer(says("", { content: [] }), "other", (event) => told.push(event));
    answer.replay("mine", messages);
    return told.at(-1)?.type;
  };
  const cut = says("Hal", { stopReason: "error", errorMessage: "the process stopped mid-answer" });
  expect(replayed(user("mine"), says("Fine."), user("b"), says("to b"))).toBe("done");
  expect(replayed(user("mine"), cut, user("b"), says("to b"))).toBe("error");
  expect(replayed(user("mine"), cut)).toBe("error");
  expect(replayed(user("mine"))).toBe("start");
});

test("what another process has answered is done, though no run here ends", () => {
  const stopped = (...messages: AgentMessage[]) => {
    const told: LiveAssistantMessageEvent[] = [];
    const answer = new AgentAnswer(says("", { content: [] }), "mine", (event) => told.push(event));
    for (const message of messages) answer.onEntry({ message });
    answer.stop({ code: "agent/not-stored", message: "the agent could not run" });
    return told.at(-1)?.type;
  };
  expect(stopped(user("mine"), says("Fine."))).toBe("done");
  expect(stopped(user("mine"), says("Looking.", { stopReason: "toolUse" }))).toBe("error");
  expect(stopped(user("mine"))).toBe("error");
});

test("a model that fails before it has said anything is an error with what is known of it", () => {
  const failed = says("", {
    content: [],
    stopReason: "error",
    errorMessage: "HTTP 429: slow",
    ext: { failure: { code: "provider/http", status: 429, retryable: true } },
  });
  expect(lastOf(user("mine"), failed, runEnd)).toMatchObject({
    type: "error",
    error: { ext: { failure: { code: "provider/http", status: 429, retryable: true } } },
  });
});

test("an answer that was stopped before it began is aborted, also when it is told again", () => {
  const stopped = says("", { content: [], stopReason: "aborted" });
  const told: LiveAssistantMessageEvent[] = [];
  const answer = new AgentAnswer(says("", { content: [] }), "mine", (event) => told.push(event));
  answer.replay("mine", [user("mine"), stopped]);
  expect(told.at(-1)).toMatchObject({ type: "error", reason: "aborted" });
});
