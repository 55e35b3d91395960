import { describe, expect, test } from "vitest";
import { a2aProtocol } from "../../../src/gateway/a2a/protocol.js";
import { agUiProtocol } from "../../../src/gateway/ag-ui/protocol.js";
import { aiSdkProtocol } from "../../../src/gateway/ai-sdk/protocol.js";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { type TestGateway, testGateway } from "../../fakes/gateway.js";
import { SteppedModel } from "../../fakes/stepped-model.js";
import { type StorePlaces, sharedStores } from "../../support/shared-stores.js";

const PROMPT = { id: "u1", role: "user", parts: [{ type: "text", text: "Hi" }] };

function post({ url, admin }: TestGateway, path: string, body: object = {}): Promise<Response> {
  const headers = {
    authorization: `Bearer ${admin}`,
    "content-type": "application/json",
    "a2a-version": "1.0",
  };
  return fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

/** A chat whose answer is streaming on one of two gateways; the page comes back to the other one. */
async function streaming(places: () => Promise<StorePlaces>) {
  const model = new SteppedModel();
  const next = await places();
  const start = async () => {
    const place = next();
    const options = { config: model.config, models: { fetch: model.fetch }, links: {}, home: place.home };
    return testGateway([rpc, aiSdkProtocol, agUiProtocol, a2aProtocol], {
      ...options,
      store: await place.open(),
    });
  };
  const [owner, other] = [await start(), await start()];
  const answering = await post(owner, "/ai-sdk/main/chat", { id: "c1", messages: [PROMPT] });
  await model.isAsked(1);
  model.send({ text: "Good " });
  return { model, other, answer: answering.text() };
}

/** Reads a stream up to a text, then the rest. */
async function readPast(response: Response, text: string, then: () => void): Promise<string> {
  let read = "";
  let isPast = false;
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    read += decoder.decode(bytes, { stream: true });
    if (isPast || !read.includes(text)) continue;
    isPast = true;
    then();
  }
  return read;
}

const texts = (stream: string) => [...stream.matchAll(/"delta":"([^"]*)"/g)].map(([, text]) => text).join("");

describe.each(sharedStores)("gateways that share %s", (_, places) => {
  test("a page resumes an answer that another gateway gives, from its beginning", async () => {
    const { model, other, answer } = await streaming(places);
    const headers = { authorization: `Bearer ${other.admin}` };
    const resumed = await fetch(`${other.url}/ai-sdk/main/chat/c1/stream`, { headers });
    expect(resumed.status).toBe(200);
    const read = await readPast(resumed, "Good ", () => model.send({ text: "morning", stop: "stop" }));
    expect(texts(read)).toBe("Good morning");
    expect(read).toMatch(/data: {"type":"finish","finishReason":"stop"}\n\ndata: \[DONE\]\n\n$/);
    expect(texts(await answer)).toBe("Good morning");
    const idle = await fetch(`${other.url}/ai-sdk/main/chat/c1/stream`, { headers });
    expect(idle.status).toBe(204);
  });

  test("a thread is connected there, with the rest of the answer", async () => {
    const { model, other } = await streaming(places);
    const thread = { threadId: "c1", runId: "r1", messages: [], tools: [], context: [], state: {} };
    const connected = await post(other, "/ag-ui/agent/main/connect", thread);
    const read = await readPast(connected, "Good ", () => model.send({ text: "morning", stop: "stop" }));
    expect(texts(read)).toBe("Good morning");
    expect(read).toContain('"type":"RUN_FINISHED"');
  });

  test.each([["/ai-sdk/main/chat/c1/stop"], ["/ag-ui/agent/main/stop/c1"]])(
    "POST %s stops it there",
    async (path) => {
      const { other, answer } = await streaming(places);
      expect(await (await post(other, path)).json()).toEqual({ stopped: true });
      expect(await answer).toMatch(/data: {"type":"abort"}\n\ndata: \[DONE\]\n\n$/);
      expect(await (await post(other, path)).json()).toEqual({ stopped: false });
    },
  );

  test("a task is subscribed to and cancelled there", async () => {
    const { other, answer } = await streaming(places);
    const call = (method: string, params: object) =>
      post(other, "/a2a/main", { jsonrpc: "2.0", id: 1, method, params });
    const { result } = await (await call("ListTasks", { contextId: "c1" })).json();
    const [{ id }] = result.tasks;
    const subscribed = await call("SubscribeToTask", { id });
    const read = await readPast(subscribed, "Good ", () => void call("CancelTask", { id }));
    expect(read).toContain("TASK_STATE_CANCELED");
    expect(await answer).toMatch(/data: {"type":"abort"}\n\ndata: \[DONE\]\n\n$/);
  });
});
