import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { connectDragoman, type DragomanClient, type WatchEvent } from "../../src/client/index.js";
import type { AgentMessage } from "../../src/core/types.js";
import { SteppedModel } from "../fakes/stepped-model.js";
import { TimbalClient } from "../fakes/timbal-client.js";
import { guidePrograms, projectWith } from "../support/cli/guide-programs.js";
import { run, workspace } from "../support/cli/run-cli.js";
import { type ServeProcess, startServe } from "../support/cli/serve-process.js";

const { path, put } = workspace();
const THREAD = "550e8400-e29b-41d4-a716-446655440000";
const SESSION = `agent:main:timbal:dm:${THREAD}`;

/** The model on a port of its own, for a gateway in another process. */
async function served(model: SteppedModel): Promise<string> {
  const server = createServer(async (request, response) => {
    const { body } = await model.fetch("", { body: await text(request) });
    const reader = body?.getReader();
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
      response.write(next.value);
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = Object(server.address());
  return `http://127.0.0.1:${port}/v1`;
}

async function connect({ url, token }: ServeProcess): Promise<DragomanClient> {
  const client = await connectDragoman({ url: `${url.replace("http", "ws")}/rpc`, token, WebSocket });
  onTestFinished(() => client.close());
  return client;
}

function lineOf(message: AgentMessage): string[] {
  if (message.role === "user") return [`user: ${message.content}`];
  if (message.role !== "assistant") return [];
  return [`agent: ${message.content.map((block) => (block.type === "text" ? block.text : "?")).join("")}`];
}

/** Who watches over /rpc: the messages, and before each answer the deltas it came in. */
class Watcher {
  readonly lines: string[] = [];
  readonly deltas: string[] = [];
  #looking: (() => void)[] = [];

  constructor(events: AsyncIterable<WatchEvent>) {
    void this.#read(events);
  }

  async #read(events: AsyncIterable<WatchEvent>): Promise<void> {
    for await (const event of events) {
      if (event.type === "message") this.lines.push(...lineOf(event.message));
      const step = event.type === "message_update" ? event.assistantMessageEvent : undefined;
      if (step !== undefined && "delta" in step) this.deltas.push(step.delta);
      for (const look of this.#looking.splice(0)) look();
    }
  }

  async until(fits: (watcher: this) => boolean): Promise<void> {
    while (!fits(this)) await new Promise<void>((resolve) => this.#looking.push(resolve));
  }
}

test("what is written over /rpc is followed by Timbal and by who joins in mid-answer, and continued by OpenAI's client", async () => {
  const model = new SteppedModel();
  const { providers } = model.config;
  const local = { ...providers?.["local"], baseUrl: await served(model) };
  put("home/config.json", JSON.stringify({ ...model.config, providers: { local } }));
  const gateway = await startServe(path("home"));
  const { url, token } = gateway;

  const headers = { authorization: `Bearer ${token}` };
  const made = await fetch(`${url}/v1/threads/${THREAD}`, { method: "POST", headers });
  expect(made.status).toBe(201);
  const timbal = await TimbalClient.open(`${url}/v1/threads/${THREAD}/stream`, token);
  onTestFinished(() => timbal.close());

  const writer = await connect(gateway);
  const first = new Watcher(writer.watch(SESSION, { after: 0 }));
  await writer.send(SESSION, "Weather?");
  await model.isAsked(1);
  model.send({ text: "It is " });
  await first.until(({ deltas }) => deltas.length === 1);
  const late = new Watcher((await connect(gateway)).watch(SESSION, { after: 0 }));
  await late.until(({ deltas }) => deltas.length === 1);
  expect([late.lines, late.deltas]).toEqual([["user: Weather?"], ["It is "]]);
  model.send({ text: "sunny." });
  model.send({ stop: "stop" });
  await late.until(({ lines }) => lines.length === 2);
  expect(late.deltas).toEqual(["It is ", "sunny."]);

  const defaultHeaders = { "X-Dragoman-Session": SESSION };
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: token, maxRetries: 0, defaultHeaders });
  const asking = openai.chat.completions.create({
    model: "agent/main",
    messages: [{ role: "user", content: "And tomorrow?" }],
  });
  await model.isAsked(2);
  expect(model.asked[1]?.["messages"]).toMatchObject([
    { role: "system" },
    { role: "user", content: "Weather?" },
    { role: "assistant", content: "It is sunny." },
    { role: "user", content: "And tomorrow?" },
  ]);
  model.send({ text: "Rain.", stop: "stop" });
  expect((await asking).choices[0]?.message.content).toBe("Rain.");

  const told = ["user: Weather?", "agent: It is sunny.", "user: And tomorrow?", "agent: Rain."];
  for (const watcher of [first, late]) {
    await watcher.until(({ lines }) => lines.length === 4);
    expect(watcher.lines).toEqual(told);
  }
  const { messages } = await writer.call("chat.history", { sessionKey: SESSION });
  expect(messages.flatMap(({ message }) => lineOf(message))).toEqual(told);
  const timbalTold = told.map((line) => {
    const [type, content] = line.split(": ");
    return expect.objectContaining({ type, content });
  });
  await timbal.until(({ frames }) => frames.filter(({ v }) => v === null).length === 2);
  expect(timbal.values()).toEqual(timbalTold);
  const afterwards = await TimbalClient.open(`${url}/v1/threads/${THREAD}/stream`, token);
  onTestFinished(() => afterwards.close());
  await afterwards.sync();
  expect(afterwards.transcript()).toEqual(timbal.transcript());
});

test("the program of the guide prints what the guide says", async () => {
  const [{ program, printed } = { program: "", printed: "" }, ...others] =
    guidePrograms("docs/guide/gateway.md");
  expect(others).toEqual([]);
  const { url, token } = await startServe(path("home"));
  const pointed = program.replace("127.0.0.1:18800", url.replace("http://", "")).replace("TOKEN", token);
  const cwd = projectWith("dragoman", "openai", "ws");
  expect(await run(process.execPath, ["--input-type=module", "-e", pointed], { cwd })).toEqual({
    code: 0,
    stdout: printed,
    stderr: "",
  });
});
