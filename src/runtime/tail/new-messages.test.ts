import { expect, test } from "vitest";
import { emptyUsage } from "../../core/message/usage.js";
import type { AgentMessage } from "../../core/types.js";
import { NewMessages } from "./new-messages.js";

function user(id: string): AgentMessage {
  return { role: "user", content: `text of ${id}`, timestamp: 1, id };
}

function answer(id: string, ...texts: string[]): AgentMessage {
  return {
    role: "assistant",
    content: texts.map((text) => ({ type: "text", text })),
    api: "x",
    provider: "x",
    model: "x",
    usage: emptyUsage(),
    stopReason: "stop",
    timestamp: 1,
    id,
  };
}

/** The ids and texts of what is new; a plus for what continues a message. */
function news(messages: NewMessages, final: AgentMessage[], pending: AgentMessage[]): string[] {
  return messages.accept({ final, pending }).map(({ message, isContinued }) => {
    const texts =
      message.role === "assistant" ? message.content.map((block) => "text" in block && block.text) : [];
    return `${isContinued ? "+" : ""}${message.id} ${texts.join(" ")}`.trim();
  });
}

test("an answer that grows is shown block by block, and once", () => {
  const messages = new NewMessages();
  expect(news(messages, [user("u1")], [answer("a1", "one")])).toEqual(["u1", "a1 one"]);
  expect(news(messages, [], [answer("a1", "one", "two", "three")])).toEqual(["+a1 two three"]);
  expect(news(messages, [], [answer("a1", "one", "two", "three"), user("u2")])).toEqual(["u2"]);
  expect(news(messages, [answer("a1", "one", "two", "three"), user("u2")], [user("u3")])).toEqual(["u3"]);
  expect(news(messages, [user("u3")], [])).toEqual([]);
});

test("an answer is the same if it gets the id of its last line", () => {
  const messages = new NewMessages();
  expect(news(messages, [], [answer("line1", "one")])).toEqual(["line1 one"]);
  expect(news(messages, [], [answer("line2", "one", "two")])).toEqual(["+line2 two"]);
});

test("of a file that is read whole each time, only other messages are new", () => {
  const messages = new NewMessages();
  expect(news(messages, [], [user("u1"), answer("a1", "one")])).toEqual(["u1", "a1 one"]);
  expect(news(messages, [], [user("u1"), answer("a1", "one"), user("u2")])).toEqual(["u2"]);
  // The program went back and took another turn.
  expect(news(messages, [], [user("u1"), answer("a2", "other")])).toEqual(["a2 other"]);
});

test("a result is shown once, also if the result of an earlier call follows", () => {
  const result = (toolCallId: string): AgentMessage => {
    return { role: "toolResult", toolCallId, toolName: "x", content: [], isError: false, timestamp: 1 };
  };
  const messages = new NewMessages();
  const shown = (...pending: AgentMessage[]) =>
    messages
      .accept({ final: [], pending })
      .map(({ message }) => message.role === "toolResult" && message.toolCallId);
  expect(shown(result("c2"))).toEqual(["c2"]);
  expect(shown(result("c1"), result("c2"))).toEqual(["c1"]);
});
