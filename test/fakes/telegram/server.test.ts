import { createServer } from "node:http";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { TelegramFake } from "./server.js";

let fake: TelegramFake;

beforeEach(async () => {
  fake = await TelegramFake.start();
  return () => fake.close();
});

async function call(method: string, fields: object = {}, token = fake.token): Promise<unknown> {
  const response = await fetch(`${fake.apiRoot}/bot${token}/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(fields),
  });
  return response.json();
}

function refused(description: string, error_code = 400) {
  return { ok: false, error_code, description };
}

describe("tokens and methods", () => {
  test("getMe", async () => {
    expect(await call("getMe")).toEqual({
      ok: true,
      result: { id: 987654321, is_bot: true, first_name: "Claw", username: "claw_bot" },
    });
  });

  test.each([
    ["getMe", "987654321:wrong", refused("Unauthorized", 401)],
    ["getMe", "nonsense", refused("Not Found", 404)],
    ["toString", undefined, refused("Not Found: method not found", 404)],
  ])("%s with %s", async (method, token, answer) => {
    expect(await call(method, {}, token)).toEqual(answer);
  });

  test("a parameter that a method does not have is a mistake", async () => {
    expect(await call("sendMessage", { chat_id: 1, text: "x", reply_to_message_id: 5 })).toEqual(
      refused("Bad Request: sendMessage has no parameter reply_to_message_id"),
    );
  });
});

describe("sendMessage", () => {
  beforeEach(() => {
    fake.says("hi");
  });

  test("shows the text and its entities", async () => {
    expect(
      await call("sendMessage", { chat_id: 123456789, text: " <b>Hi</b> you", parse_mode: "HTML" }),
    ).toMatchObject({
      ok: true,
      result: { message_id: 101, chat: { id: 123456789, type: "private" }, text: "Hi you" },
    });
    expect(fake.chats.seen(123456789)[1]).toMatchObject({
      by: "bot",
      text: "Hi you",
      entities: [{ type: "bold", offset: 0, length: 2 }],
      hasPreview: true,
    });
  });

  test.each([
    [{}, "Bad Request: message text is empty"],
    [{ text: "" }, "Bad Request: message text is empty"],
    [{ text: " \n" }, "Bad Request: text must be non-empty"],
    [{ text: "a".repeat(4097) }, "Bad Request: message is too long"],
    [{ text: "😀".repeat(2049) }, "Bad Request: message is too long"],
    [{ text: "x", parse_mode: "Markdown" }, "Bad Request: unsupported parse_mode"],
    [
      { text: "<b>x", parse_mode: "HTML" },
      `Bad Request: can't parse entities: Can't find end tag corresponding to start tag "b"`,
    ],
    [{ text: "x", chat_id: 5 }, "Bad Request: chat not found"],
    [{ text: "x", chat_id: "" }, "Bad Request: chat_id is empty"],
    [{ text: "x", message_thread_id: 7 }, "Bad Request: message thread not found"],
    [{ text: "x", reply_parameters: { message_id: 9 } }, "Bad Request: message to be replied not found"],
  ])("%# is refused", async (fields, description) => {
    expect(await call("sendMessage", { chat_id: 123456789, ...fields })).toEqual(refused(description));
    expect(fake.said(123456789)).toEqual([]);
  });

  test("what is shown counts, not what is written", async () => {
    const text = `<b>${"&amp;".repeat(4096)}</b>`;
    expect(await call("sendMessage", { chat_id: 123456789, text, parse_mode: "HTML" })).toMatchObject({
      ok: true,
    });
  });

  test("a reply, and one to what is gone", async () => {
    await call("sendMessage", { chat_id: 123456789, text: "a", reply_parameters: { message_id: 100 } });
    const gone = { message_id: 5, allow_sending_without_reply: true };
    await call("sendMessage", { chat_id: 123456789, text: "b", reply_parameters: gone });
    expect(fake.chats.seen(123456789).map(({ text, replyTo }) => [text, replyTo])).toEqual([
      ["hi", undefined],
      ["a", 100],
      ["b", undefined],
    ]);
  });

  test("topics: the general one has no number", async () => {
    fake.chats.add({ id: -1001, type: "supergroup", is_forum: true, topics: [42] });
    expect(await call("sendMessage", { chat_id: -1001, message_thread_id: 42, text: "a" })).toMatchObject({
      ok: true,
    });
    expect(await call("sendMessage", { chat_id: -1001, message_thread_id: 1, text: "a" })).toEqual(
      refused("Bad Request: message thread not found"),
    );
    expect(await call("sendChatAction", { chat_id: -1001, message_thread_id: 1, action: "typing" })).toEqual({
      ok: true,
      result: true,
    });
  });

  test("somebody who blocked the bot, and a group that moved", async () => {
    fake.chats.add({ id: 5, type: "private", blocked: true });
    fake.chats.add({ id: -6, type: "group", movedTo: -1006 });
    expect(await call("sendMessage", { chat_id: 5, text: "a" })).toEqual(
      refused("Forbidden: bot was blocked by the user", 403),
    );
    expect(await call("sendMessage", { chat_id: -6, text: "a" })).toEqual({
      ...refused("Bad Request: group chat was upgraded to a supergroup chat"),
      parameters: { migrate_to_chat_id: -1006 },
    });
  });
});

describe("editMessageText", () => {
  test("changes, and refuses to change nothing", async () => {
    fake.says("hi");
    await call("sendMessage", { chat_id: 123456789, text: "a" });
    const edit = (text: string, message_id = 101) =>
      call("editMessageText", { chat_id: 123456789, message_id, text });
    expect(await edit("b")).toMatchObject({ ok: true });
    expect(await edit("b")).toEqual(
      refused(
        "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
      ),
    );
    expect(await edit("c", 100)).toEqual(refused("Bad Request: message can't be edited"));
    expect(await edit("c", 99)).toEqual(refused("Bad Request: message to edit not found"));
    expect(fake.chats.seen(123456789)[1]).toMatchObject({ text: "b", before: ["a"] });
  });
});

describe("getUpdates", () => {
  test("gives again what was not confirmed", async () => {
    fake.says("one");
    fake.says("two");
    const ids = async (fields: object) => {
      const { result } = Object(await call("getUpdates", fields));
      return result.map(({ update_id }: { update_id: number }) => update_id);
    };
    expect(await ids({})).toEqual([1000, 1001]);
    expect(await ids({ limit: 1 })).toEqual([1000]);
    expect(await ids({ offset: 1001 })).toEqual([1001]);
    expect(await ids({})).toEqual([1001]);
    expect(await ids({ offset: 1002 })).toEqual([]);
    expect(await ids({})).toEqual([]);
  });

  test("waits for what comes", async () => {
    const asked = call("getUpdates", { timeout: 30 });
    await fake.chats.until(() => fake.calls.length === 1);
    fake.says("late");
    expect(await asked).toMatchObject({ ok: true, result: [{ update_id: 1000, message: { text: "late" } }] });
  });

  test("only one may wait", async () => {
    const first = call("getUpdates", { timeout: 30 });
    await fake.chats.until(() => fake.calls.length === 1);
    const second = call("getUpdates", { timeout: 0 });
    const words = "terminated by other getUpdates request; make sure that only one bot instance is running";
    expect(await first).toEqual(refused(`Conflict: ${words}`, 409));
    expect(await second).toEqual({ ok: true, result: [] });
  });

  test("and nobody while there is a webhook", async () => {
    await call("setWebhook", { url: "https://example.com/hook" });
    const words =
      "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";
    expect(await call("getUpdates")).toEqual(refused(`Conflict: ${words}`, 409));
    await call("deleteWebhook");
    expect(await call("getUpdates")).toEqual({ ok: true, result: [] });
  });

  test("tells only the kinds that were asked for", async () => {
    await call("getUpdates", { allowed_updates: ["message"] });
    fake.says("no", { kind: "edited_message" });
    fake.says("yes");
    expect(await call("getUpdates")).toMatchObject({ result: [{ message: { text: "yes" } }] });
  });
});

test("a webhook is called with the secret until it says yes", async () => {
  const answers = [500, 503, 200];
  const heard: unknown[] = [];
  const server = createServer(async (request, response) => {
    heard.push(request.headers["x-telegram-bot-api-secret-token"]);
    for await (const _ of request);
    response.writeHead(answers.shift() ?? 200).end(() => fake.chats.changed());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = Object(server.address());
  await call("setWebhook", { url: `http://127.0.0.1:${port}/`, secret_token: "s3cret" });
  fake.says("hi");
  await fake.chats.until(() => heard.length === 3);
  await fake.webhook.idle();
  expect([heard, fake.webhook.answers, fake.updates.unconfirmed]).toEqual([
    ["s3cret", "s3cret", "s3cret"],
    [500, 503, 200],
    [],
  ]);
});

test.each([
  [{ url: "http://example.com/" }, "Bad Request: bad webhook: An HTTPS URL must be provided for webhook"],
  [
    { url: "https://example.com/", secret_token: "a b" },
    "Bad Request: secret token contains unallowed characters",
  ],
])("webhook %j is refused", async (fields, description) => {
  expect(await call("setWebhook", fields)).toEqual(refused(description));
});

describe("files", () => {
  test("of people", async () => {
    const id = fake.files.add(Buffer.from("abc"));
    expect(await call("getFile", { file_id: id })).toEqual({
      ok: true,
      result: { file_id: "file-1", file_unique_id: "u-file-1", file_size: 3, file_path: "files/file-1" },
    });
    expect(await (await fetch(`${fake.apiRoot}/file/bot${fake.token}/files/file-1`)).text()).toBe("abc");
    expect((await fetch(`${fake.apiRoot}/file/bot${fake.token}/files/file-2`)).status).toBe(404);
    expect(await call("getFile", { file_id: "x" })).toEqual(
      refused("Bad Request: wrong file_id or the file is temporarily unavailable"),
    );
    const large = fake.files.add(new Uint8Array(20_000_001));
    expect(await call("getFile", { file_id: large })).toEqual(refused("Bad Request: file is too big"));
  });

  async function upload(kind: string, bytes: string, caption = ""): Promise<unknown> {
    fake.says("hi");
    const form = new FormData();
    form.set("chat_id", "123456789");
    form.set(kind, "attach://f");
    form.set("caption", caption);
    form.set("f", new Blob([Buffer.from(bytes, "latin1")]), "cat.jpg");
    const url = `${fake.apiRoot}/bot${fake.token}/send${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
    return (await fetch(url, { method: "POST", body: form })).json();
  }

  test("of the bot", async () => {
    expect(await upload("photo", "\xff\xd8\xff\xe0cat", "A cat")).toMatchObject({ ok: true });
    expect(fake.chats.seen(123456789)[1]).toMatchObject({
      text: "A cat",
      file: { kind: "photo", name: "cat.jpg", bytes: 7 },
    });
  });

  test.each([
    ["photo", "no picture", "", "Bad Request: IMAGE_PROCESS_FAILED"],
    ["document", "", "", "Bad Request: file must be non-empty"],
    ["document", "x", "c".repeat(1025), "Bad Request: message caption is too long"],
  ])("%s %# is refused", async (kind, bytes, caption, description) => {
    expect(await upload(kind, bytes, caption)).toEqual(refused(description));
  });

  test("by address", async () => {
    fake.says("hi");
    const photo = (url: string) => call("sendPhoto", { chat_id: 123456789, photo: url });
    expect(await photo("https://example.com/cat.jpg")).toMatchObject({ ok: true });
    expect(await photo("https://nowhere.invalid/")).toEqual(
      refused("Bad Request: failed to get HTTP URL content"),
    );
    expect(await photo("x")).toEqual(refused("Bad Request: wrong file identifier/HTTP URL specified"));
  });
});

describe("faults", () => {
  beforeEach(() => {
    fake.says("hi");
  });
  const send = () => call("sendMessage", { chat_id: 123456789, text: "a" });

  test("too many requests", async () => {
    fake.fail("sendMessage", { status: 429, retryAfter: 7 });
    expect(await send()).toEqual({
      ...refused("Too Many Requests: retry after 7", 429),
      parameters: { retry_after: 7 },
    });
    expect(await send()).toMatchObject({ ok: true });
  });

  test("a broken line, after and before it was done", async () => {
    fake.fail("sendMessage", "drop", "cut");
    await expect(send()).rejects.toThrow("fetch failed");
    expect(fake.said(123456789)).toEqual(["a"]);
    await expect(send()).rejects.toThrow("fetch failed");
    expect(fake.said(123456789)).toEqual(["a"]);
  });
});

describe("sendMediaGroup", () => {
  const photo = { type: "photo", media: "https://example.com/a.jpg" };
  const document = { type: "document", media: "https://example.com/a.pdf" };

  beforeEach(() => {
    fake.says("hi");
  });

  test("shows all of them as one", async () => {
    const media = [
      { ...photo, caption: "<b>Two</b>", parse_mode: "HTML" },
      { ...photo, type: "video" },
    ];
    const result = [{ message_id: 102 }, { message_id: 103 }];
    expect(await call("sendMediaGroup", { chat_id: 123456789, media })).toMatchObject({ ok: true, result });
    expect(fake.chats.seen(123456789).slice(1)).toMatchObject([
      { text: "Two", album: "album 101", file: { kind: "photo" } },
      { text: "", album: "album 101", file: { kind: "video" } },
    ]);
  });

  test.each([
    ["one", [photo], "media group must have at least 2 items"],
    ["eleven", Array.from({ length: 11 }, () => photo), "too many messages to send as an album"],
    [
      "an animation",
      [photo, { ...photo, type: "animation" }],
      'type "animation" can\'t be used in sendMediaGroup',
    ],
    ["documents and photos", [photo, document], "document can't be mixed with other media types"],
    ["a name that nothing has", [photo, { ...photo, name: "x" }], "InputMedia has no field name"],
    [
      "a file that is not there",
      [photo, { ...photo, media: "attach://x" }],
      "wrong file identifier/HTTP URL specified",
    ],
    [
      "a caption that is too long",
      [photo, { ...photo, caption: "x".repeat(1025) }],
      "message caption is too long",
    ],
  ])("takes nothing of %s", async (_, media, why) => {
    expect(await call("sendMediaGroup", { chat_id: 123456789, media })).toEqual(
      refused(`Bad Request: ${why}`),
    );
    expect(fake.chats.seen(123456789)).toHaveLength(1);
  });
});
