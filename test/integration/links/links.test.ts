import { createServer } from "node:http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { testGateway } from "../../fakes/gateway.js";
import { SteppedModel } from "../../fakes/stepped-model.js";
import { tcpProxy } from "../../fakes/tcp-proxy.js";
import { told } from "../../fakes/watching.js";
import { connectRpc } from "../../support/gateway-clients.js";
import { KEY, linkedGateway, linkedPair, watching } from "../../support/linked-pair.js";
import { sharedStores } from "../../support/shared-stores.js";

/** How often a client moves. More under DRAGOMAN_SOAK. */
const MOVES = Number(
  process.env["DRAGOMAN_TEST_MOVES"] ?? (process.env["DRAGOMAN_SOAK"] === undefined ? 60 : 1_000),
);

describe.each(sharedStores)("gateways that share %s", (_, places) => {
  test("a client of one gateway sees the tokens of a run on another, and then the stored message", async () => {
    const { model, other, there, here } = await linkedPair(places);
    const watcher = await watching(here);
    await there.send(KEY, "Hello");
    await model.isAsked(1);
    model.send({ text: "Good " });
    await watcher.until(() => watcher.live === "Good ");
    expect(await (await other.fetch("/metrics")).text()).toContain("\ndragoman_links 1\n");
    model.send({ text: "morning" });
    await watcher.until(() => watcher.live === "Good morning");
    model.send({ stop: "stop" });
    await watcher.until(() => watcher.messages.at(-1)?.role === "assistant");
    expect(told(watcher.messages)).toEqual(["session", "user: Hello", "assistant (stop): Good morning"]);
    expect(watcher.problems).toEqual([]);
  });

  test("a client that joins mid-answer sees the text before it", async () => {
    const { model, there, here } = await linkedPair(places);
    await there.send(KEY, "Hello");
    await model.isAsked(1);
    model.send({ thinking: "Hm.", text: "Good " });
    const near = await watching(there);
    await near.until(() => near.live === "Good ");
    const watcher = await watching(here);
    await watcher.until(() => watcher.live === "Good ");
    model.send({ text: "morning", stop: "stop" });
    await watcher.until(() => watcher.messages.at(-1)?.role === "assistant");
    expect(watcher.problems).toEqual([]);
  });

  test("a message for another gateway's run steers it, and its sender receives that run's events", async () => {
    const { model, there, here } = await linkedPair(places);
    const { runId } = await there.send(KEY, "Hello");
    await model.isAsked(1);
    model.send({ text: "Good " });
    const watcher = await watching(here);
    await watcher.until(() => watcher.live === "Good ");
    const sent = await here.send(KEY, "And now?");
    expect(sent.runId).toBe(runId);
    model.send({ text: "morning", stop: "stop" });
    await model.isAsked(2);
    model.send({ text: "Noon", stop: "stop" });
    expect(await here.call("agent.wait", { runId })).toEqual({ runId, status: "done" });
    await watcher.until(() => told(watcher.messages).includes("assistant (stop): Noon"));
    // One run has answered both, on the owner; the note is the message as it was accepted.
    expect(told(watcher.messages)).toEqual([
      "session",
      "user: Hello",
      "custom",
      "assistant (stop): Good morning",
      "user: And now?",
      "assistant (stop): Noon",
    ]);
    expect(await there.call("agent.wait", { runId })).toEqual({ runId, status: "done" });
  });

  test("a message without a subscription is answered once, and its client can wait for the run", async () => {
    const { model, there, here } = await linkedPair(places);
    const { runId } = await there.send(KEY, "Hello");
    await model.isAsked(1);
    const sent = await here.send(KEY, { text: "More", mode: "followup" });
    expect(sent.runId).toBe(runId);
    const waiting = here.call("agent.wait", { runId });
    model.send({ text: "one", stop: "stop" });
    await model.isAsked(2);
    model.send({ text: "two", stop: "stop" });
    expect(await waiting).toEqual({ runId, status: "done" });
    const near = await watching(there);
    await near.until(() => told(near.messages).includes("assistant (stop): two"));
    expect(model.asked.length).toBe(2);
  });

  test("a run is stopped, and waited for, from another gateway", async () => {
    const { model, there, here } = await linkedPair(places);
    const { runId } = await there.send(KEY, "Hello");
    await model.isAsked(1);
    model.send({ text: "Good " });
    // This gateway has not heard of the session.
    const waiting = here.call("agent.wait", { runId });
    const watcher = await watching(here);
    await watcher.until(() => watcher.live === "Good ");
    expect(await here.call("chat.abort", { sessionKey: KEY })).toEqual({ aborted: true, runId });
    expect(await waiting).toMatchObject({ runId, status: "aborted" });
    await watcher.until(() => watcher.messages.at(-1)?.role === "assistant");
    expect(told(watcher.messages)).toEqual(["session", "user: Hello", "assistant (aborted): Good "]);
    await expect(here.call("agent.wait", { runId: "nothing" })).rejects.toThrow(
      'there is no run "nothing" here',
    );
  });

  test("a question is shown and answered on another gateway", async () => {
    const permissions = [{ tool: "exec", action: "ask" as const }];
    const { model, there, here } = await linkedPair(
      places,
      {},
      {},
      { agents: { main: { permissions, tools: ["exec"] } } },
    );
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const asked = new Promise<string>((resolve) => {
      void (async () => {
        for await (const event of here.watch(KEY, { after: 0, asks: true })) {
          if (event.type === "run_start") begin();
          if (event.type === "permission" && event.state === "asked") resolve(event.request.id);
        }
      })();
    });
    await there.send(KEY, "Run it");
    await Promise.all([model.isAsked(1), begun]);
    model.send({ call: { id: "c1", name: "exec", arguments: '{"command":"echo hi"}' } });
    model.send({ stop: "tool_calls" });
    const id = await asked;
    expect(await here.call("permission.answer", { sessionKey: KEY, id, answer: "once" })).toEqual({
      answered: true,
    });
    await model.isAsked(2);
    model.send({ text: "Done", stop: "stop" });
    const near = await watching(there);
    await near.until(() => told(near.messages).includes("assistant (stop): Done"));
    expect(JSON.stringify(near.messages)).toContain('"text":"hi"');
  });

  test("an agent that is pinned to a gateway runs only there, whichever gateway accepts its messages", async () => {
    const proxy = await tcpProxy();
    const gateway = `http://${proxy.host}`;
    const config = { agents: { main: { gateway } } };
    const { model, owner, other, here } = await linkedPair(places, { advertise: gateway }, {}, config);
    proxy.leadTo(owner.host);
    const watcher = await watching(here);
    const { runId } = await here.send(KEY, "Hello");
    const waiting = here.call("agent.wait", { runId });
    await model.isAsked(1);
    expect([owner.runtime.running().length, other.runtime.running()]).toEqual([1, []]);
    model.send({ text: "Good " });
    await watcher.until(() => watcher.live === "Good ");
    model.send({ text: "morning", stop: "stop" });
    expect(await waiting).toEqual({ runId, status: "done" });
    await watcher.until(() => watcher.messages.at(-1)?.role === "assistant");
    const next = await here.send(KEY, "And then?");
    expect(next.runId).not.toBe(runId);
    await model.isAsked(2);
    model.send({ text: "Noon", stop: "stop" });
    expect(await here.call("agent.wait", { runId: next.runId })).toEqual({
      runId: next.runId,
      status: "done",
    });
    // While that gateway is away, its messages wait in the store.
    await owner.stop();
    await here.send(KEY, "And now?");
    const conversation = await other.runtime.begin({ key: KEY });
    await conversation.idle();
    expect(await other.runtime.resume()).toEqual([]);
    const isDue = await other.runtime.store.due.has(conversation.session.id);
    expect([isDue, other.runtime.running(), model.asked.length]).toEqual([true, [], 2]);
  });

  test("a link that is cut costs tokens, and no messages", async () => {
    const proxy = await tcpProxy();
    const { model, owner, there, here } = await linkedPair(places, { advertise: `http://${proxy.host}` }, {});
    proxy.leadTo(owner.host);
    const watcher = await watching(here);
    await there.send(KEY, "Hello");
    await model.isAsked(1);
    model.send({ text: "Good " });
    await watcher.until(() => watcher.live === "Good ");
    proxy.leadTo(undefined);
    proxy.cut();
    model.send({ text: "mor" });
    await there.send(KEY, "And now?");
    model.send({ text: "ning", stop: "stop" });
    await model.isAsked(2);
    model.send({ text: "No" });
    await watcher.until(() => told(watcher.messages).includes("assistant (stop): Good morning"));
    proxy.leadTo(owner.host);
    await watcher.until(() => watcher.live === "No");
    model.send({ text: "on", stop: "stop" });
    await watcher.until(() => told(watcher.messages).includes("assistant (stop): Noon"));
    expect([watcher.problems, watcher.lost]).toEqual([[], 0]);
  });

  test("a client that moves between gateways mid-answer ends with the stored text", async () => {
    const { model, owner, other, there } = await linkedPair(places);
    const proxy = await tcpProxy();
    proxy.leadTo(owner.host);
    const { secret } = await owner.tokens.create("moving", "admin");
    const client = await connectRpc({ url: `http://${proxy.host}`, token: secret });
    onTestFinished(() => client.close());
    const watcher = await watching(client);
    await there.send(KEY, "Count");
    await model.isAsked(1);
    let expected = "";
    const word = (count: number) => {
      expected += `${count} `;
      model.send({ text: `${count} ` });
    };
    for (let count = 0; count < MOVES; count++) {
      word(count);
      // Sometimes it has everything when it leaves, sometimes it misses something on the way.
      if (count % 3 !== 0) await watcher.until(() => watcher.live === expected);
      await watcher.until(() => watcher.opened > count);
      proxy.leadTo(count % 2 === 0 ? other.host : owner.host);
      proxy.cut();
      if (count % 4 === 0) word(-count);
      await watcher.until(() => watcher.lost > count);
      if (count % 5 === 0) await watcher.until(() => watcher.live === expected);
    }
    await watcher.until(() => watcher.live === expected);
    model.send({ stop: "stop" });
    await watcher.until(() => watcher.messages.at(-1)?.role === "assistant");
    expect([watcher.problems, watcher.failure]).toEqual([[], undefined]);
    expect(told(watcher.messages)).toEqual(["session", "user: Count", `assistant (stop): ${expected}`]);
    expect(watcher.lost).toBe(MOVES);
  }, 600_000);

  test("gateways with different cluster tokens do not link, and lose no messages", async () => {
    const { model, other, there, here } = await linkedPair(
      places,
      { token: "a".repeat(32) },
      { token: "b".repeat(32) },
    );
    const watcher = await watching(here);
    await there.send(KEY, "Hello");
    await model.isAsked(1);
    const metrics = async () => (await other.fetch("/metrics")).text();
    await vi.waitFor(async () => expect(await metrics()).toMatch(/^dragoman_link_failures_total [1-9]/m));
    model.send({ text: "Good morning", stop: "stop" });
    await watcher.until(() => watcher.messages.at(-1)?.role === "assistant");
    expect(told(watcher.messages)).toEqual(["session", "user: Hello", "assistant (stop): Good morning"]);
    expect(await metrics()).not.toMatch(/^dragoman_link_connects_total/m);
  });

  test("a false address in the store is told nothing that it could use", async () => {
    const seen: string[] = [];
    const impostor = createServer((request, response) => {
      request.on("data", (chunk: Buffer) => seen.push(`${request.method} ${request.url} ${chunk}`));
      request.on("end", () =>
        response.end(JSON.stringify({ challenge: "c".repeat(43), proof: "p".repeat(43) })),
      );
    });
    impostor.on("upgrade", (request) => seen.push(`upgrade ${request.headers["sec-websocket-protocol"]}`));
    await new Promise<void>((resolve) => impostor.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void impostor.close());
    const { port } = Object(impostor.address());
    const { model, other, there, here } = await linkedPair(
      places,
      { advertise: `http://127.0.0.1:${port}` },
      {},
    );
    const watcher = await watching(here);
    await there.send(KEY, "Hello");
    await model.isAsked(1);
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0));
    model.send({ text: "Good morning", stop: "stop" });
    await watcher.until(() => watcher.messages.at(-1)?.role === "assistant");
    for (const line of seen) expect(line).toMatch(/^POST \/link\/hello {"nonce":"[\w-]{43}"}$/);
    expect(other.noted.join("\n")).not.toContain("proof");
  });

  test("only a gateway of the store may use what links use", async () => {
    const { here, other } = await linkedPair(places);
    const deliver = { session: "x", messageId: "y", mode: "steer" as const };
    await expect(here.call("link.deliver", deliver)).rejects.toMatchObject({
      message: "only gateways that share a store use this method",
    });
    const { methods } = await here.call("connect", { protocol: 2 });
    expect(methods.filter((name) => name.startsWith("link."))).toEqual([]);
    const hello = await other.fetch("/link/hello", { method: "POST", token: null, body: "{}" });
    expect(hello.status).toBe(400);
    const alone = await testGateway([rpc]);
    const none = await alone.fetch("/link/hello", { method: "POST", token: null, body: "{}" });
    expect(none.status).toBe(401);
  });

  test("a gateway whose configuration differs is named, with the sections", async () => {
    const { config } = new SteppedModel();
    const place = await places();
    const one = await linkedGateway(place(), { config });
    const two = await linkedGateway(place(), { config: { ...config, agents: { main: { maxTurns: 3 } } } });
    expect(JSON.parse(await two.untilNoted("different configuration"))).toMatchObject({
      gateway: one.url,
      sections: ["agents"],
    });
  });
});
