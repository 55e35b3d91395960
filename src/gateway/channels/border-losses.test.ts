import { expect, test } from "vitest";
import { ChatPlatform, inboundOf } from "../../../test/fakes/chat-platform.js";
import { testDesk } from "../../../test/fakes/desk.js";
import { telegram } from "../../channels/telegram/index.js";
import { webhook } from "../../channels/webhook/index.js";
import { noteOf } from "../../core/message/notes.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AssistantMessage } from "../../core/types.js";
import { lostInAnswer } from "./border-losses.js";

test("a file that cannot be fetched, and a kind that is not supported, are losses of the session", async () => {
  const platform = new ChatPlatform();
  const { runtime } = testDesk(platform);
  const inbound = inboundOf("look", { attachments: [{ kind: "video", handle: "gone" }] });
  await platform.say(inbound);
  await platform.hasShown("7", 1);
  const story = inboundOf("");
  story.message = { ...story.message, PassedOn: [{ Kind: "story" }] };
  await platform.say(story);
  await platform.hasShown("7", 2);
  const id = await runtime.log.find("agent:main:telegram:dm:7");
  const conversation = await runtime.open(id ?? "");
  await conversation.idle();
  const notes = (await conversation.messages()).flatMap((message) => noteOf(message) ?? []);
  expect(notes.filter(({ type }) => type === "dragoman/losses").map(({ data }) => data)).toEqual([
    {
      border: "channel",
      target: "telegram",
      losses: [
        { at: "/attachments", what: "a file (video)", why: "there is no such file", severity: "dropped" },
      ],
    },
    {
      border: "channel",
      target: "telegram",
      losses: [
        {
          at: "/PassedOn/0",
          what: 'the content of a message of kind "story"',
          why: "this kind of message is not supported; only its name is kept",
          severity: "dropped",
        },
      ],
    },
  ]);
});

test("what people do not see of an answer is named, by what their platform can show", () => {
  const text = "> | a | b |\n> |---|---|\n> | 1 | 2 |\n\n![chart](https://x.example/c.png)";
  const message: AssistantMessage = {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "hm" },
      { type: "text", text },
      { type: "image", url: "https://x.example/a.png" },
    ],
    ...{ api: "x", provider: "x", model: "x", usage: emptyUsage(), stopReason: "stop", timestamp: 1 },
  };
  const image = {
    at: "/content/2",
    what: "a block of type image",
    why: "channels send only files from the agent's workspace",
    severity: "dropped",
  };
  expect(lostInAnswer(message, text, webhook)).toEqual([image]);
  expect(lostInAnswer(message, text, telegram)).toEqual([
    image,
    {
      at: "/content",
      what: "a table",
      why: "the platform shows no tables; it is sent as text in columns",
      severity: "approximated",
    },
    {
      at: "/content",
      what: "an image by link",
      why: "the platform shows no images in a text; its address is sent",
      severity: "approximated",
    },
  ]);
  expect(lostInAnswer(message, "a | b", telegram)).toEqual([image]);
});
