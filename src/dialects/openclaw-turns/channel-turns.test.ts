import { expect, test } from "vitest";
import { convert } from "../../convert/convert.js";
import type { AgentMessage, UserContent } from "../../core/types.js";
import { decode } from "./decode.js";
import { encode } from "./encode.js";

const inbound = { channel: "telegram", accountId: "default", From: "42", To: "987", MessageId: "7" };
const header: AgentMessage = {
  role: "session",
  id: "s1",
  key: "agent:main:telegram:dm:42",
  agent: "main",
  timestamp: 1_740_000_000_000,
};
const waiting: AgentMessage = {
  role: "custom",
  customType: "dragoman/inbox",
  data: {},
  timestamp: 1_740_000_000_500,
};
const said: AgentMessage = {
  role: "user",
  id: "m1",
  content: [
    { type: "text", text: "See:" },
    { type: "file", url: "https://example.test/clip.mp4" },
  ],
  timestamp: 1_740_000_001_000,
  ext: { inbound },
};
const lines = [header, waiting, said].map((message) => `${JSON.stringify(message)}\n`).join("");

test("a channel's message is written as OpenClaw writes it, and nothing else becomes a turn", async () => {
  const { output, losses } = await convert(lines, { from: "openclaw", to: "openclaw-turns" });
  expect(
    output
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    {
      role: "user",
      content: [{ type: "text", text: "See:" }],
      timestamp: 1_740_000_001_000,
      mediaUrls: ["https://example.test/clip.mp4"],
      metadata: {
        id: "m1",
        channel: "telegram",
        peerId: "42",
        messageId: "7",
        ext: { inbound: { accountId: "default", To: "987" } },
      },
    },
  ]);
  expect(losses.map(({ at, what, why }) => `${at} ${what}: ${why}`)).toEqual([
    "/0 the session message: a session file has turns and no header; its name is the session key",
    "/1 the custom message: every turn is shown to the model, and this message must not be",
  ]);
});

test("with escrow the header and the notes travel along, and the round trip is exact", async () => {
  const { output, losses } = await convert(lines, { from: "openclaw", to: "openclaw-turns", escrow: true });
  expect(losses).toEqual([]);
  expect(output.trimEnd().split("\n")).toHaveLength(1);
  const back = await convert(output, { from: "openclaw-turns", to: "openclaw" });
  expect(
    back.output
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([header, waiting, said]);
});

test("the channel, peer and message id of another writer's turn are those of the inbound message", () => {
  const turn = {
    role: "user",
    content: [{ type: "text", text: "Hello!" }],
    timestamp: 1_740_000_001_000,
    metadata: { channel: "telegram", peerId: "123456789", messageId: "1" },
  };
  const [read] = decode([turn]);
  expect(read?.message.ext).toEqual({
    inbound: { channel: "telegram", From: "123456789", MessageId: "1" },
  });
});

const text: UserContent = { type: "text", text: "See:" };
const image: UserContent = { type: "image", url: "https://example.test/a.png" };
const file: UserContent = { type: "file", url: "https://example.test/b.pdf" };

test.each<[string, UserContent[], string[] | undefined]>([
  ["a file after text", [text, file], ["https://example.test/b.pdf"]],
  ["a file before text", [file, text], ["https://example.test/b.pdf"]],
  ["files alone", [file, { ...file, url: "c" }], ["https://example.test/b.pdf", "c"]],
  ["the same file twice", [file, file], ["https://example.test/b.pdf", "https://example.test/b.pdf"]],
  ["a file at the address of an image", [image, { ...file, url: image.url ?? "" }], [image.url ?? ""]],
  [
    "a file with a name",
    [text, { ...file, name: "b.pdf", mimeType: "application/pdf" }, file],
    ["https://example.test/b.pdf", "https://example.test/b.pdf"],
  ],
  ["a file with its bytes", [{ type: "file", data: "AAAA", mimeType: "application/pdf" }], undefined],
  ["an image", [image], undefined],
])("%s is written to mediaUrls if it has an address, and read back", (_, content, mediaUrls) => {
  const message: AgentMessage = { role: "user", content, timestamp: 1_740_000_000_000 };
  const turns = JSON.parse(JSON.stringify(encode([message])));
  expect(turns[0].mediaUrls).toEqual(mediaUrls);
  expect(decode(turns).map((one) => one.message)).toEqual([message]);
});

test("media that another writer puts beside the content is a file, once", () => {
  const turn = {
    role: "user",
    content: [{ type: "image", source: { type: "url", url: "https://example.test/a.png" } }],
    timestamp: 1_740_000_000_000,
    mediaUrls: ["https://example.test/a.png", "https://example.test/b.pdf"],
  };
  const [read] = decode([turn]);
  expect(read?.message).toMatchObject({ content: [image, file] });
  expect(encode(read === undefined ? [] : [read.message])).toEqual([turn]);
});
