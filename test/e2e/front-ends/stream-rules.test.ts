import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { SteppedModel } from "../../fakes/stepped-model.js";
import { frontGateway, scripted, storedChat } from "./front-gateway.js";
import { blocksIn, type ProtocolStream, post, protocolStreams } from "./protocol-streams.js";

const BLOCKS = [
  "say: One.",
  "think: Hm.",
  "say: Two.",
  'call: read {"file_path":"a.txt"}',
  "---",
  "say: Three.",
].join("\n");

async function stepped(stream: ProtocolStream) {
  const model = new SteppedModel();
  const gateway = await frontGateway({ config: model.config, models: model });
  const response = post(gateway, stream, "Go");
  await model.isAsked(1);
  model.send({ text: "Half" });
  return { model, gateway, text: (await response).text() };
}

describe.each(protocolStreams)("$name: a stream ends with its end marker", (stream) => {
  test("if the answer is complete", async () => {
    const { model, text } = await stepped(stream);
    model.send({ text: ".", stop: "stop" });
    expect(await text).toMatch(stream.ends.done);
  });

  test("if the run is stopped", async () => {
    const { gateway, text } = await stepped(stream);
    (await storedChat(gateway, "s1")).conversation.abort();
    expect(await text).toMatch(stream.ends.aborted);
  });

  test("if the model fails", async () => {
    const model = new SteppedModel();
    const fetch: typeof globalThis.fetch = async () =>
      new Response(JSON.stringify({ error: { message: "no such model" } }), { status: 404 });
    const gateway = await frontGateway({ config: model.config, models: { fetch } });
    expect(await (await post(gateway, stream, "Go")).text()).toMatch(stream.ends.failed);
  });

  test("if the gateway shuts down", async () => {
    const { gateway, text } = await stepped(stream);
    await gateway.close();
    expect(await text).toMatch(stream.ends.closing);
  });

  test("or is reset, if the client does not read", async () => {
    const model = new SteppedModel();
    const limits = { gateway: { limits: { unreadBytes: 65_536 } } };
    const gateway = await frontGateway({ config: { ...model.config, ...limits }, models: model });
    const body = JSON.stringify(stream.body("s1", "Go"));
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
    const head = [
      `POST ${stream.path} HTTP/1.1`,
      `host: ${gateway.host}`,
      `authorization: Bearer ${gateway.chat}`,
      "content-type: application/json",
      "a2a-version: 1.0",
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    socket.pause();
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
    await model.isAsked(1);
    for (let count = 0; count < 64; count++) model.send({ text: "x".repeat(256 * 1024) });
    model.send({ text: "end", stop: "stop" });
    const { conversation } = await storedChat(gateway, "s1");
    await conversation.idle();
    let received = "";
    socket.setEncoding("latin1").on("data", (text: string) => {
      received = (received + text).slice(-1024);
    });
    socket.on("error", () => undefined);
    await new Promise((resolve) => socket.on("close", resolve).resume());
    // The last chunk of a chunked response is empty.
    expect(received).not.toMatch(/\r\n0\r\n\r\n$/);
    expect(received).not.toMatch(stream.ends.done);
  });
});

describe.each(protocolStreams)("$name", (stream) => {
  test("has one id for each block, the same when the answer is sent again", async () => {
    const gateway = await frontGateway({ config: scripted() });
    const live = blocksIn(stream, await (await post(gateway, stream, BLOCKS)).text());
    const turns = stream.name === "A2A";
    expect(live.blocks.map(({ text }) => text)).toEqual(
      turns ? ["One.Two.", "Three."] : ["One.", "Hm.", "Two.", "Three."],
    );
    expect(turns || live.isComplete).toBe(true);
    const { conversation } = await storedChat(gateway, "s1");
    const ids = (await conversation.messages()).flatMap(({ role, id }) => (role === "assistant" ? [id] : []));
    const [first, second] = ids;
    expect(live.blocks.map(({ id }) => id)).toEqual(
      turns ? [first, second] : [`${first}:0`, `${first}:1`, `${first}:2`, `${second}:0`],
    );
    const again = blocksIn(stream, await (await post(gateway, stream, BLOCKS)).text());
    expect(again.blocks).toEqual(live.blocks);
    expect(ids).toHaveLength(2);
  });
});
