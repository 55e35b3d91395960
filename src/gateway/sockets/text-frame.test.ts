import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { frameText } from "./text-frame.js";

let server: WebSocketServer;

beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
});
afterAll(() => server.close());

/** The messages that a client reads from these bytes. */
async function readMessages(
  bytes: Uint8Array,
  count: number,
): Promise<{ text: string; isBinary: boolean }[]> {
  const { port } = server.address() as AddressInfo;
  server.once("connection", (_, { socket }) => socket.write(bytes));
  const client = new WebSocket(`ws://127.0.0.1:${port}`);
  const messages: { text: string; isBinary: boolean }[] = [];
  await new Promise<void>((resolve, reject) => {
    client.on("error", reject);
    client.on("message", (data, isBinary) => {
      if (messages.push({ text: String(data), isBinary }) === count) resolve();
    });
  });
  client.terminate();
  return messages;
}

describe("frameText", () => {
  it("writes the header of each length", () => {
    expect([...frameText("hi")]).toEqual([0x81, 2, 0x68, 0x69]);
    expect([...frameText("x".repeat(126)).subarray(0, 4)]).toEqual([0x81, 126, 0, 126]);
    expect([...frameText("x".repeat(65_536)).subarray(0, 10)]).toEqual([0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]);
  });

  it("is read as text messages of the same length", async () => {
    const texts = [0, 1, 125, 126, 65_535, 65_536, 200_000].map((length) => "x".repeat(length));
    const frames = Buffer.concat(texts.map((text) => frameText(text)));
    expect(await readMessages(frames, texts.length)).toEqual(
      texts.map((text) => ({ text, isBinary: false })),
    );
  });

  it("frames the same bytes once, and other bytes anew", async () => {
    const [first, second] = [Buffer.from("né"), Buffer.from("other")];
    const frame = frameText(first);
    expect(frameText(first)).toBe(frame);
    const frames = Buffer.concat([frame, frameText(second), frameText(first)]);
    expect((await readMessages(frames, 3)).map(({ text }) => text)).toEqual(["né", "other", "né"]);
  });
});
