import { inspect } from "node:util";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { telegram } from "../../../src/channels/telegram/index.js";
import type { Settings } from "../../../src/channels/telegram/settings.js";
import type { Chat } from "../../../src/channels/types.js";
import { TelegramFake } from "../../fakes/telegram/server.js";
import { failureOf, openSession, type SessionOptions } from "../../support/channel-session.js";

let fake: TelegramFake;

beforeEach(async () => {
  fake = await TelegramFake.start();
  return () => fake.close();
});

async function open(settings: Settings = {}, options: SessionOptions = {}) {
  const given = { token: fake.token, apiRoot: fake.apiRoot, ...settings };
  const session = await openSession(telegram, given, options);
  onTestFinished(() => session.transport.close());
  return session;
}

async function connect(options: SessionOptions = {}) {
  const session = await open({}, options);
  await session.until(() => session.states.at(-1)?.state === "connected");
  return session;
}

const john: Chat = { kind: "direct", chat: "123456789" };

describe("connecting", () => {
  test("a token that Telegram does not know stops it, and is not told", async () => {
    const session = await open({ token: "987654321:wrong" });
    await session.until(() => session.states.length === 2);
    expect(session.states).toEqual([
      { state: "connecting" },
      {
        state: "stopped",
        why: "Telegram does not accept this token",
        hint: "get the bot's token from @BotFather and set it with: dragoman channels add telegram",
      },
    ]);
    expect(inspect(session.states)).not.toContain("wrong");
  });

  test("without a token it does not open", async () => {
    await expect(openSession(telegram, {})).rejects.toMatchObject({ code: "channel/bad-settings" });
  });

  test("it waits for a server that is away", async () => {
    await fake.stop();
    const session = await open({ apiRoot: `${fake.apiRoot}/` });
    await session.until(() => session.states.at(-1)?.state === "waiting");
    await fake.listen();
    await session.until(() => session.states.at(-1)?.state === "connected");
    fake.says("There you are");
    await session.until(() => session.inbound.length === 1);
    expect(session.inbound[0]?.message.Text).toBe("There you are");
  });

  test("another that receives the same messages is told of, until it has gone", async () => {
    const first = await connect();
    const second = await connect();
    await first.until(() => first.states.at(-1)?.state === "waiting");
    expect(first.states.at(-1)).toMatchObject({
      why: "another program is receiving this bot's messages: stop it, or use a separate bot for each",
    });
    await second.transport.close();
    await first.until(() => first.states.at(-1)?.state === "connected");
  });

  test("it does as it is told when it asks too often", async () => {
    fake.fail("getMe", { status: 429, retryAfter: 1 });
    const session = await open();
    await session.until(() => session.states.at(-1)?.state === "connected");
    expect(session.states[1]).toMatchObject({ state: "waiting", why: "rate limited by Telegram" });
  });
});

describe("receiving", () => {
  test("Telegram is told only when it is stored", async () => {
    let stored = () => {};
    const storing = new Promise<void>((resolve) => {
      stored = resolve;
    });
    const session = await connect({ store: () => storing });
    fake.says("one");
    await session.until(() => session.inbound.length === 1);
    fake.says("two");
    expect(fake.updates.unconfirmed.length).toBe(2);
    stored();
    await session.until(() => session.inbound.length === 2);
    await fake.chats.until(() => fake.updates.unconfirmed.length === 0);
    expect(session.inbound.map(({ message }) => message.Text)).toEqual(["one", "two"]);
  });

  test("an album, an edit, a voice in a topic, and what nobody said", async () => {
    const session = await connect();
    const chat = { id: -1001, type: "supergroup", title: "Plans", is_forum: true, topics: [42] } as const;
    const photo = [{ file_id: "p", width: 1, height: 1 }];
    fake.says(undefined, { photo, media_group_id: "77", caption: "Cats" });
    fake.says(undefined, { photo, media_group_id: "77" });
    fake.says(undefined, { new_chat_members: [{ id: 5, is_bot: false, first_name: "Ann" }], chat });
    fake.says("Hallo", { kind: "edited_message" });
    const topic = { is_topic_message: true, message_thread_id: 42 };
    fake.says(undefined, { voice: { file_id: "v", mime_type: "audio/ogg" }, chat, ...topic });
    await session.until(() => session.inbound.length === 4);
    expect(
      session.inbound.map(({ album, edits, place, attachments }) => ({ album, edits, place, attachments })),
    ).toEqual([
      { album: "77", place: john, attachments: [{ kind: "image", handle: "p" }] },
      { album: "77", place: john, attachments: [{ kind: "image", handle: "p" }] },
      { edits: "103", place: john, attachments: [] },
      {
        place: { kind: "group", chat: "-1001", thread: "42" },
        attachments: [{ kind: "audio", handle: "v", mimeType: "audio/ogg" }],
      },
    ]);
  });

  test("files that Telegram does not hand out", async () => {
    const { transport } = await connect();
    await expect(transport.fetch({ kind: "image", handle: "gone" }, 99)).rejects.toMatchObject({
      code: "channel/no-file",
      message:
        "could not download the file: Call to 'getFile' failed! (400: Bad Request: wrong file_id or the file is temporarily unavailable)",
    });
  });
});

describe("sending", () => {
  const png = Buffer.from("\x89PNG\r\n\x1a\n and so on", "latin1");

  test("topics are answered where they are", async () => {
    const { transport } = await connect();
    fake.chats.add({ id: -1001, type: "supergroup", is_forum: true, topics: [42] });
    for (const thread of ["42", "1"]) {
      const place: Chat = { kind: "group", chat: "-1001", thread };
      await transport.typing?.(place);
      for (const part of telegram.outgoing({ text: `In ${thread}` }, place))
        await transport.send(place, part, "a key");
    }
    expect(fake.chats.seen(-1001).map(({ text, thread }) => [text, thread])).toEqual([
      ["In 42", 42],
      ["In 1", undefined],
    ]);
    expect(
      fake.calls.filter(({ method }) => method === "sendChatAction").map(({ fields }) => fields),
    ).toEqual([
      { chat_id: "-1001", message_thread_id: 42, action: "typing" },
      { chat_id: "-1001", message_thread_id: 1, action: "typing" },
    ]);
  });

  test("a reply, without a preview of links", async () => {
    const { transport } = await connect();
    const question = fake.says("Where?");
    const [part] = telegram.outgoing({ text: "https://example.com", replyToId: String(question) }, john);
    if (part === undefined) throw new Error("nothing to send");
    await transport.send(john, part, "a key");
    expect(fake.chats.seen(123456789)[1]).toMatchObject({ replyTo: 100, hasPreview: false });
  });

  test("marks that are refused are left out", async () => {
    const { transport } = await connect();
    fake.says("Hi");
    const broken = { native: { text: "<b>x", parse_mode: "HTML" }, plain: { text: "x" } } as const;
    const { id } = await transport.send(john, broken, "a key");
    await transport.edit?.(john, id, { native: { text: "<i>y", parse_mode: "HTML" }, plain: { text: "y" } });
    expect(fake.chats.seen(123456789)[1]).toMatchObject({ text: "y", before: ["x"] });
    const error = await failureOf(transport.send(john, { native: broken.native }, "a key"));
    expect([error.fate, error.message]).toEqual([
      "refused",
      `Telegram replied: Bad Request: can't parse entities: Can't find end tag corresponding to start tag "b"`,
    ]);
  });

  test("a group that has moved is found", async () => {
    const { transport } = await connect();
    fake.chats.add({ id: -6, type: "group", movedTo: -1006 });
    fake.chats.add({ id: -1006, type: "supergroup" });
    await transport.send({ kind: "group", chat: "-6" }, { native: { text: "Hello" } }, "a key");
    expect(fake.said(-1006)).toEqual(["Hello"]);
  });

  test.each([
    ["image/png", png, "photo"],
    ["image/png", Buffer.from("no picture"), "document"],
    ["image/gif", Buffer.from("GIF89a"), "animation"],
    ["video/mp4", Buffer.from("ftyp"), "video"],
    ["audio/mpeg", Buffer.from("ID3"), "audio"],
    ["audio/ogg", Buffer.from("OggS"), "voice"],
    ["text/plain", Buffer.from("abc"), "document"],
  ])("a file of type %s goes as it is best seen", async (mimeType, bytes, kind) => {
    const media = async () => ({ bytes, mimeType, name: 'a";\r\nb.bin' });
    const { transport } = await connect({ media });
    fake.says("Hi");
    await transport.send(
      john,
      { native: { text: "<b>It</b>", parse_mode: "HTML" }, mediaUrl: "media:x" },
      "a key",
    );
    expect(fake.chats.seen(123456789)[1]).toMatchObject({
      text: "It",
      file: { kind, name: "a____b.bin", bytes: bytes.length },
    });
  });

  test("Telegram fetches what is on the web; where it cannot, people get the address", async () => {
    const { transport } = await connect();
    fake.says("Hi");
    await transport.send(john, { native: { text: "Cat" }, mediaUrl: "https://example.com/cat.jpg" }, "a key");
    await transport.send(
      john,
      { native: { text: "Dog" }, mediaUrl: "https://nowhere.invalid/dog.jpg" },
      "a key",
    );
    expect(fake.chats.seen(123456789).slice(1)).toMatchObject([
      { text: "Cat", file: { kind: "photo", name: "https://example.com/cat.jpg" } },
      { text: "Dog\nhttps://nowhere.invalid/dog.jpg" },
    ]);
  });

  describe("several files", () => {
    const album = (...mediaUrls: string[]) => ({
      native: { text: "<b>Two</b>", parse_mode: "HTML" as const },
      plain: { text: "Two" },
      mediaUrls,
    });
    /** Files by name. */
    const media = async (url: string, mostBytes: number) => {
      const name = url.replace("media:", "");
      const [, type = ""] = /\.(\w+)$/.exec(name) ?? [];
      const mimeType = { png: "image/png", mp4: "video/mp4", txt: "text/plain" }[type];
      const bytes = name === "big.mp4" ? Buffer.alloc(30_000_000) : png;
      if (mimeType === undefined || bytes.length > mostBytes) throw new Error("no such file");
      return { bytes, mimeType, name };
    };

    test("go as one message, with the text under the first", async () => {
      const { transport } = await connect({ media });
      fake.says("Hi");
      const { id } = await transport.send(
        john,
        album("media:a.png", "media:b.mp4", "https://example.com/c.jpg"),
        "a key",
      );
      expect(id).toBe("102");
      expect(fake.chats.seen(123456789).slice(1)).toMatchObject([
        {
          id: 102,
          text: "Two",
          entities: [{ type: "bold" }],
          album: "album 101",
          file: { kind: "photo", name: "a.png" },
        },
        { text: "", album: "album 101", file: { kind: "video", name: "b.mp4", bytes: png.length } },
        { text: "", album: "album 101", file: { kind: "photo", name: "https://example.com/c.jpg" } },
      ]);
    });

    test("go without marks that Telegram does not take", async () => {
      const { transport } = await connect({ media });
      fake.says("Hi");
      const broken = {
        ...album("media:a.txt", "media:b.txt"),
        native: { text: "<b>Two", parse_mode: "HTML" as const },
      };
      await transport.send(john, broken, "a key");
      expect(fake.chats.seen(123456789).slice(1)).toMatchObject([
        { text: "Two", album: "album 102", file: { kind: "document", name: "a.txt" } },
        { text: "", album: "album 102", file: { kind: "document", name: "b.txt" } },
      ]);
    });

    test.each([
      ["one of them is not there", ["media:a.png", "media:gone"]],
      ["one of them is something else than it is called", ["media:a.png", "media:b.txt"]],
      ["Telegram cannot fetch one of them", ["media:a.png", "https://nowhere.invalid/b.jpg"]],
      ["together they are too large", ["media:big.mp4", "media:big.mp4"]],
    ])("may go one by one when %s", async (_, mediaUrls) => {
      const { transport } = await connect({ media });
      fake.says("Hi");
      const error = await failureOf(transport.send(john, album(...mediaUrls), "a key"));
      const { native, plain } = album();
      expect([error.fate, error.instead]).toEqual([
        "refused",
        [
          { native, plain, mediaUrl: mediaUrls[0] },
          { native: { text: "" }, mediaUrl: mediaUrls[1] },
        ],
      ]);
      expect(fake.chats.seen(123456789)).toHaveLength(1);
    });

    test.each([
      ["cut" as const, "unknown"],
      [{ status: 429, retryAfter: 3 }, "later"],
      [{ status: 403, description: "Forbidden: bot was kicked from the group chat" }, "refused"],
    ])("share one fate: after %j it is %s", async (fault, fate) => {
      const { transport } = await connect({ media });
      fake.says("Hi");
      fake.fail("sendMediaGroup", fault);
      const error = await failureOf(transport.send(john, album("media:a.png", "media:b.png"), "a key"));
      expect([error.fate, error.instead]).toEqual([fate, undefined]);
    });
  });

  test("a file that is not there is refused", async () => {
    const { transport } = await connect();
    const error = await failureOf(
      transport.send(john, { native: { text: "" }, mediaUrl: "media:x" }, "a key"),
    );
    expect([error.fate, error.message]).toEqual(["refused", "could not send the file: there are no files"]);
  });

  test.each([
    [{ status: 500 }, "unknown", undefined],
    ["cut", "unknown", undefined],
    [{ status: 403, description: "Forbidden: bot was kicked from the group chat" }, "refused", undefined],
    [{ status: 429, retryAfter: 30 }, "later", 30_000],
  ] as const)("%j: the message is %s", async (fault, fate, afterMs) => {
    const { transport } = await connect();
    fake.says("Hi");
    fake.fail("sendMessage", fault);
    const error = await failureOf(transport.send(john, { native: { text: "Hello" } }, "a key"));
    expect([error.fate, error.afterMs]).toEqual([fate, afterMs]);
    expect(inspect(error, { depth: 20 })).not.toContain(fake.token);
  });

  test("an edit of what is gone is refused", async () => {
    const { transport } = await connect();
    fake.says("Hi");
    const edit = transport.edit?.(john, "9", { native: { text: "x" } });
    expect((await failureOf(Promise.resolve(edit))).fate).toBe("refused");
  });
});
