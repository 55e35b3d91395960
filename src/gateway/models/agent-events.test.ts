import { expect, onTestFinished, test } from "vitest";
import { says } from "../../../test/fakes/scripted-model.js";
import { user } from "../../../test/fakes/watching.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { newId } from "../../core/ids.js";
import { openCells } from "../../log/files/cells.js";
import { configOf } from "../../runtime/live-config.js";
import { Runtime } from "../../runtime/runtime.js";
import { TokenStore } from "../auth/token-store.js";
import { MetricsRegistry } from "../metrics.js";
import type { Gateway } from "../types.js";
import { agentEvents } from "./agent-events.js";

test("an answer that another process gives is the client's answer", async () => {
  const runtime = new Runtime({ home: temporaryFolder(), config: { model: "demo/echo" } });
  onTestFinished(() => runtime.close());
  const conversation = await runtime.begin({ key: "agent:main:main" });
  const { id } = conversation.session;
  const other = await runtime.log.open(id);
  const lease = await runtime.log.lease(id);
  const silent = () => undefined;
  const gateway: Gateway = {
    runtime,
    logger: { info: silent, warn: silent, error: silent },
    tokens: new TokenStore(openCells(runtime.home)),
    config: configOf(runtime),
    metrics: new MetricsRegistry(),
    limits: { bodyBytes: 1e6, frameBytes: 1e6, unreadBytes: 1e6, connections: 10, requestsPerMinute: 1000 },
    closing: new AbortController().signal,
    now: Date.now,
  };
  const prompt = { ...user("Hi"), id: newId() };
  const { events } = await agentEvents(gateway, {
    ...{ conversation, prompt, idempotencyKey: undefined, model: "main", api: "openai-chat" },
    gone: new AbortController().signal,
    running: undefined,
    isStructured: false,
    state: undefined,
  });
  await other.append([prompt, says("Hello from elsewhere.")]);
  await lease?.release();
  const seen = [];
  for await (const event of events) seen.push(event);
  expect(seen.at(-1)).toMatchObject({
    type: "done",
    message: { content: [{ type: "text", text: "Hello from elsewhere." }] },
  });
  await other.close();
});
