import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { newId } from "../core/ids.js";
import { noteMessage } from "../core/message/notes.js";
import type { UserMessage } from "../core/types.js";
import { Runtime } from "./runtime.js";
import type { Config } from "./schema.js";
import { payerOf, sentBy, sentMark } from "./sent-mark.js";

const says = (content: string): UserMessage => ({ role: "user", content, timestamp: 1 });

/** A runtime, and the token, agent and model of each call that it makes. */
function countingRuntime(config: Config) {
  const runtime = new Runtime({ home: temporaryFolder(), config });
  onTestFinished(() => runtime.close());
  const calls: string[] = [];
  runtime.usage.watch(({ token, agent, model }) => calls.push(`${token} ${agent} ${model}`));
  return { runtime, calls };
}

test("a message keeps its other marks", () => {
  const message = {
    ...says("hi"),
    ext: { sent: { idempotencyKey: "k", runId: "r" }, inbound: { channel: "x" } },
  };
  expect(sentBy("t", message).ext).toEqual({
    sent: { idempotencyKey: "k", runId: "r", by: "t" },
    inbound: { channel: "x" },
  });
  expect(sentMark({ ...says("hi"), ext: { sent: { by: 5, idempotencyKey: "k" } } })).toEqual({
    idempotencyKey: "k",
  });
});

test("the sender of the last message pays; without a mark it is local", () => {
  expect(payerOf([])).toBe("local");
  expect(payerOf([sentBy("a", says("1")), sentBy("b", says("2"))])).toBe("b");
  expect(payerOf([sentBy("a", says("1")), says("2")])).toBe("local");
});

test("each answer counts for the sender of its message, also with an idempotency key", async () => {
  const { runtime, calls } = countingRuntime({ model: "demo/echo" });
  const conversation = await runtime.begin({ key: "agent:main:main" });
  await conversation.send(sentBy("a", says("one")));
  await conversation.idle();
  await conversation.sendOnce("k", sentBy("b", says("two")));
  await conversation.idle();
  await conversation.send(says("three"));
  await conversation.idle();
  expect(calls).toEqual(["a main demo/echo", "b main demo/echo", "local main demo/echo"]);
});

test("a message that a dead process left counts for its sender", async () => {
  const { runtime, calls } = countingRuntime({ model: "demo/echo" });
  const session = await runtime.log.create({ agent: "main" });
  const message = { ...sentBy("a", says("one")), id: newId() };
  await session.append([noteMessage({ type: "dragoman/inbox", data: { message } }, 1)]);
  await session.close();
  await (await runtime.open(session.id)).resume();
  expect(calls).toEqual(["a main demo/echo"]);
});

test("a sub-agent's calls count for the sender of its parent's message", async () => {
  const { runtime, calls } = countingRuntime({
    model: "demo/script",
    agents: {
      main: { agents: ["helper"], permissions: [{ tool: "*", action: "allow" }] },
      helper: { model: "demo/echo" },
    },
  });
  const conversation = await runtime.begin({});
  const call = 'call: agent {"agent":"helper","prompt":"say it"}';
  await conversation.send(sentBy("a", says(`${call}\n---\nsay: Done.`)));
  await conversation.idle();
  expect(calls).toEqual(["a main demo/script", "a helper demo/echo", "a main demo/script"]);
});
