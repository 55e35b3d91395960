import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/core/json/value.js";
import { SteppedModel } from "../../fakes/stepped-model.js";
import { frontGateway, scripted, storedChat } from "./front-gateway.js";

/** The chunks of a stream, with the deltas of each block joined. */
function chunksIn(text: string): JsonObject[] {
  const joined: JsonObject[] = [];
  for (const event of text.split("\n\n")) {
    if (!event.startsWith("data: {")) continue;
    const chunk: JsonObject = JSON.parse(event.slice("data: ".length));
    const last = joined.at(-1);
    const { delta, inputTextDelta, ...rest } = chunk;
    const { delta: before, inputTextDelta: inputBefore, ...lastRest } = last ?? {};
    const isMore = last !== undefined && JSON.stringify(rest) === JSON.stringify(lastRest);
    if (isMore && typeof delta === "string")
      joined[joined.length - 1] = { ...rest, delta: `${before}${delta}` };
    else if (isMore && typeof inputTextDelta === "string") {
      joined[joined.length - 1] = { ...rest, inputTextDelta: `${inputBefore}${inputTextDelta}` };
    } else joined.push(chunk);
  }
  return joined;
}

test.each([
  ["AI SDK", "/ai-sdk/main/chat/j1/stream", undefined],
  ["AG-UI", "/ag-ui/agent/main/connect", { threadId: "j1", runId: "r", messages: [] }],
] as const)("%s: a client that joins at any moment gets the same answer", async (_, path, body) => {
  const model = new SteppedModel();
  const config = { ...scripted(), ...model.config };
  const agents = { main: { ...config.agents?.["main"], model: "local/m" } };
  const gateway = await frontGateway({ config: { ...config, agents }, models: model });
  const join = async () => {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await gateway.fetch(path, init);
    expect(response.status).toBe(200);
    return { text: response.text() };
  };
  const key = "agent:main:page:dm:j1";
  const conversation = await gateway.runtime.begin({ key });
  const steps: (() => void)[] = [
    () => model.send({ thinking: "Let me " }),
    () => model.send({ thinking: "think." }),
    () => model.send({ text: "I will " }),
    () => model.send({ text: "look." }),
    () => model.send({ call: { id: "c1", name: "read", arguments: '{"file_' } }),
    () => model.send({ call: { arguments: 'path":"a.txt"}' } }),
    () => model.send({ stop: "tool_calls" }),
    () => model.send({ text: "Milk" }),
    () => model.send({ text: "." }),
  ];
  let updates = 0;
  const waiting = new Set<() => void>();
  conversation.watch((event) => {
    if (event.type === "agent") updates++;
    for (const wake of waiting) wake();
  });
  const changed = async (before: number) => {
    while (updates === before) await new Promise<void>((resolve) => waiting.add(resolve));
  };
  await conversation.send({ role: "user", content: "What is to buy?", timestamp: 1 });
  await model.isAsked(1);
  const joined = [await join()];
  for (const [index, step] of steps.entries()) {
    const before = updates;
    step();
    if (index === 6) await model.isAsked(2);
    else await changed(before);
    joined.push(await join());
  }
  model.send({ stop: "stop" });
  const streams = (await Promise.all(joined.map(({ text }) => text))).map(chunksIn);
  const [first = []] = streams;
  expect(first.length).toBeGreaterThan(10);
  for (const stream of streams) expect(stream).toEqual(first);
  const { texts } = await storedChat(gateway, "j1");
  expect(texts).toEqual(["user: What is to buy?", "assistant: I will look.", "assistant: Milk."]);
  const answered = first.filter(({ type }) => type === "text-delta" || type === "TEXT_MESSAGE_CONTENT");
  expect(answered.map(({ delta }) => delta)).toEqual(["I will look.", "Milk."]);
});
