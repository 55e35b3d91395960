import { once } from "node:events";
import { get, request } from "node:http";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { registerConnector } from "../../../src/providers/connectors.js";
import { gatewayForEachTest } from "./gateway.js";

const gateway = gatewayForEachTest();

function client(): OpenAI {
  return new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().admin, maxRetries: 0 });
}

const key = () => ({ authorization: `Bearer ${gateway().admin}` });

function gate(): { opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** A model that says one word, and the rest when it is let. */
function waitingModel() {
  const [asked, aborted, mayGoOn] = [gate(), gate(), gate()];
  registerConnector("waiting", {
    async *stream(_model, _context, { signal }) {
      signal?.addEventListener("abort", () => aborted.open());
      asked.open();
      yield { type: "text_delta", delta: "Wait" };
      await mayGoOn.opened;
      yield { type: "text_delta", delta: " over" };
      yield { type: "done", stopReason: "stop" };
    },
  });
  return { asked: asked.opened, aborted: aborted.opened, goOn: () => mayGoOn.open() };
}

const bodies = {
  "/v1/chat/completions": { stream: true, messages: [{ role: "user", content: "x" }] },
  "/v1/responses": { stream: true, input: "x" },
  "/v1/messages": { stream: true, max_tokens: 9, messages: [{ role: "user", content: "x" }] },
  "/api/chat": { messages: [{ role: "user", content: "x" }] },
  "/v1beta/models/agent/slow:streamGenerateContent?alt=sse": { contents: [{ parts: [{ text: "x" }] }] },
};

const paths = Object.entries(bodies);

const slow = { agents: { slow: { model: "waiting/x" } } };

/** The raw answer; `until` sees all that has come so far. */
async function raw(path: string, body: object, until: (text: string) => void = () => undefined) {
  const asking = request(`${gateway().url}${path}`, { method: "POST", headers: key() });
  asking.end(JSON.stringify({ model: "agent/slow", ...body }));
  const [response] = await once(asking, "response");
  let text = "";
  for await (const chunk of response) {
    text += chunk;
    until(text);
  }
  return text;
}

describe("a client that goes", () => {
  test.each([true, false])("takes its call of a model with it, streaming: %s", async (stream) => {
    const { asked, aborted } = waitingModel();
    const aborting = new AbortController();
    const asking = client().chat.completions.create(
      { model: "waiting/x", messages: [{ role: "user", content: "x" }], stream },
      { signal: aborting.signal },
    );
    const refused = stream ? asking : expect(asking).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    await (stream ? asking : asked);
    aborting.abort();
    await refused;
    await aborted;
    expect(await gateway().sessions()).toEqual([]);
  });

  test.each([true, false])("leaves the run of an agent to itself, streaming: %s", async (stream) => {
    await gateway().restart(slow);
    const { asked, goOn } = waitingModel();
    const aborting = new AbortController();
    const asking = client().chat.completions.create(
      { model: "agent/slow", messages: [{ role: "user", content: "x" }], stream },
      { signal: aborting.signal },
    );
    const refused = stream ? asking : expect(asking).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    await (stream ? asking : asked);
    const [session = ""] = await gateway().sessions();
    const conversation = await gateway().runtime.open(session);
    aborting.abort();
    await refused;
    goOn();
    await conversation.idle();
    expect(await gateway().told(session)).toEqual(["user: x", "assistant: Wait over"]);
  });
});

describe("while nothing happens", () => {
  const pings: Record<string, string> = {
    "/v1/chat/completions": ": keep-alive\n\n",
    "/v1/responses": ": keep-alive\n\n",
    "/v1/messages": 'event: ping\ndata: {"type":"ping"}\n\n',
    "/api/chat": '"message":{"role":"assistant","content":""},"done":false}\n',
    "/v1beta/models/agent/slow:streamGenerateContent?alt=sse": ": keep-alive\n\n",
  };

  test.each(paths)("%s shows that it lives", async (path, body) => {
    await gateway().restart(slow, { silenceMs: 5 });
    const { goOn } = waitingModel();
    const ping = pings[path] ?? "none";
    const text = await raw(path, body, (sofar) => {
      if (sofar.split(ping).length > 2) goOn();
    });
    expect(text).toContain(" over");
  });

  test("an error after the status is the API's own event", async () => {
    await gateway().restart({}, { silenceMs: 5 });
    const failing = gate();
    registerConnector("failing", {
      // biome-ignore lint/correctness/useYield: it fails before it says anything
      async *stream() {
        await failing.opened;
        throw new Error("a secret of the stack");
      },
    });
    const body = { ...bodies["/v1/chat/completions"], model: "failing/x" };
    const text = await raw("/v1/chat/completions", body, () => failing.open());
    expect(text).toContain('data: {"error":{"message":"the gateway failed","type":"server_error"');
    expect(text).not.toContain("secret");
  });
});

test.each(paths)("a server that shuts down tells the clients of %s", async (path, body) => {
  await gateway().restart(slow);
  const { goOn } = waitingModel();
  const text = await raw(path, body, () => void gateway().close());
  expect(text).toContain("the gateway is shutting down; the session is stored");
  goOn();
});

test("a run that somebody else aborts is an error to the client", async () => {
  await gateway().restart(slow);
  const { goOn } = waitingModel();
  const stream = await client().chat.completions.create({
    model: "agent/slow",
    messages: [{ role: "user", content: "x" }],
    stream: true,
  });
  const reading = async () => {
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content !== "Wait") continue;
      const [session = ""] = await gateway().sessions();
      (await gateway().runtime.open(session)).abort();
    }
  };
  await expect(reading()).rejects.toThrow("the run was aborted");
  goOn();
});

test("streams of Gemini are server-sent events only", async () => {
  const asking = request(`${gateway().url}/v1beta/models/demo/echo:streamGenerateContent`, {
    method: "POST",
    headers: key(),
  });
  asking.end('{"contents":[]}');
  const [response] = await once(asking, "response");
  expect(response.statusCode).toBe(400);
  response.resume();
});

test("models are listed in OpenAI's shape", async () => {
  const { data } = await client().models.list();
  const created = expect.any(Number);
  expect(data[0]).toEqual({ id: "agent/main", object: "model", created, owned_by: "dragoman" });
  expect(Math.min(...data.map((model) => model.created))).toBeGreaterThan(1_700_000_000);
  expect(await client().models.retrieve("demo/echo")).toMatchObject({ id: "demo/echo", owned_by: "demo" });
  await expect(client().models.retrieve("nobody/x")).rejects.toMatchObject({ code: "model_not_found" });
  const [response] = await once(get(`${gateway().url}/v1/models`, { headers: key() }), "response");
  expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
  response.resume();
});
