import { inspect } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import type { Channel, Chat, Person } from "../../src/channels/types.js";
import { is } from "../../src/core/validate.js";
import {
  type ChannelSession,
  failureOf,
  openSession,
  type SessionOptions,
} from "../support/channel-session.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** A platform, or a fake of one, with one person who talks with the bot alone. */
export interface Platform<Settings> {
  settings: Settings;
  /** What must never be shown. */
  secrets: readonly string[];
  me: Person;
  person: Person;
  /** Where the two talk. */
  direct: Chat;
  /** Where nothing can be sent to. */
  nowhere: Chat;
  /** The person says it, with a file if there is one. Fulfilled with the platform's id. */
  says(text: string, file?: Uint8Array): Promise<string>;
  /** What the bot has said to the person, as it is to be seen, oldest first. */
  said(): Promise<string[]>;
  /** The next message of the bot is not taken, or its answer is lost though it is. */
  failNext(fault: "too-many" | "lost"): void;
  /** Nobody is there any more. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** What not every platform can do. */
export type Ability = "keeps" | "redelivers" | "edits" | "types" | "files" | "too-many" | "lost" | "stop";

/**
 * The laws of channels. What a platform cannot do is `lacking`, with the reason, which is printed. `openPlatform` is given the
 * folder of the account, in which there may have to be something.
 *
 * @example
 * describeChannel(telegram, openFake, { keeps: "a webhook keeps nothing" });
 */
export function describeChannel<Settings, Native>(
  channel: Channel<Settings, Native>,
  openPlatform: (folder: string) => Promise<Platform<Settings>>,
  lacking: Partial<Record<Ability, string>> = {},
): void {
  function law(title: string, check: () => Promise<void>, needs?: Ability): void {
    const reason = needs === undefined ? undefined : lacking[needs];
    if (reason === undefined) test(title, check);
    else test.skip(`${title} (${reason})`, check);
  }

  let platform: Platform<Settings>;
  let opened: ChannelSession<Native>[];
  let folder: string;

  beforeEach(async () => {
    opened = [];
    folder = temporaryFolder();
    platform = await openPlatform(folder);
    return async () => {
      await Promise.all(opened.map(({ transport }) => transport.close()));
      await platform.close();
    };
  });

  let keys = 0;
  const key = () => `key-${keys++}`;

  async function connect(options: SessionOptions = {}): Promise<ChannelSession<Native>> {
    const session = await openSession(channel, platform.settings, { folder, ...options });
    opened.push(session);
    await session.until(() => session.states.at(-1)?.state === "connected");
    return session;
  }

  function output(text: string) {
    const [first] = channel.outgoing({ text }, platform.direct);
    if (first === undefined) throw new Error("nothing to send");
    return first;
  }

  function expectNoSecret(value: unknown): void {
    const shown = inspect(value, { depth: 20, maxStringLength: Number.POSITIVE_INFINITY });
    expect(platform.secrets.filter((secret) => shown.includes(secret))).toEqual([]);
  }

  describe(`${channel.title}, receiving`, () => {
    law("connects, and says who it is", async () => {
      const { states } = await connect();
      expect(states.at(-1)).toEqual({ state: "connected", me: platform.me });
    });

    law("a message arrives, once, as a message of ours", async () => {
      const session = await connect();
      const id = await platform.says("Hello, bot!");
      await platform.says("And again");
      await session.until(() => session.inbound.length === 2);
      expect(session.inbound.map(({ message }) => message.Text)).toEqual(["Hello, bot!", "And again"]);
      expect(session.inbound[0]).toMatchObject({
        message: { From: platform.person.id, To: platform.me.id, ChatType: "direct", MessageId: id },
        id,
        place: platform.direct,
        sender: platform.person,
        attachments: [],
        addressed: true,
      });
      expect(session.inbound.map(({ message }) => is("OpenClawMessage", message))).toEqual([true, true]);
    });

    law(
      "what could not be stored is delivered again",
      async () => {
        let failures = 2;
        const store = async () => {
          if (failures-- > 0) throw new Error("the disk is full");
        };
        const session = await connect({ store });
        const id = await platform.says("Do not lose me");
        await session.until(() => session.inbound.length === 3);
        expect(session.inbound.map((inbound) => inbound.id)).toEqual([id, id, id]);
      },
      "redelivers",
    );

    law(
      "what was said while it was closed arrives when it is open again",
      async () => {
        const { transport, inbound } = await connect();
        await platform.says("before");
        await transport.close();
        await platform.says("while away");
        const again = await connect();
        await again.until(() => again.inbound.some(({ message }) => message.Text === "while away"));
        expect(inbound.some(({ message }) => message.Text === "while away")).toBe(false);
      },
      "keeps",
    );

    law("its own words are not received", async () => {
      const session = await connect();
      await platform.says("Hi");
      await session.until(() => session.inbound.length === 1);
      await session.transport.send(platform.direct, output("Hello yourself"), key());
      await platform.says("Bye");
      await session.until(() => session.inbound.length === 2);
      expect(session.inbound.map(({ message }) => message.Text)).toEqual(["Hi", "Bye"]);
    });

    law(
      "a file is fetched when it is asked for, and not when it is too large",
      async () => {
        const session = await connect();
        await platform.says("Look", Buffer.from("\x89PNG\r\n\x1a\n and so on", "latin1"));
        await session.until(() => session.inbound.length === 1);
        const [attachment] = session.inbound[0]?.attachments ?? [];
        if (attachment === undefined) throw new Error("no attachment");
        expect(session.inbound[0]?.message).toMatchObject({ Text: "Look", MediaType: attachment.kind });
        const { bytes } = await session.transport.fetch(attachment, 18);
        expect(Buffer.from(bytes).toString("latin1")).toBe("\x89PNG\r\n\x1a\n and so on");
        await expect(session.transport.fetch(attachment, 17)).rejects.toMatchObject({
          code: "channel/file-too-large",
        });
      },
      "files",
    );
  });

  describe(`${channel.title}, sending`, () => {
    law("a message is seen, under an id of its own", async () => {
      const { transport } = await connect();
      await platform.says("Hi");
      const first = await transport.send(platform.direct, output("Hello"), key());
      const second = await transport.send(platform.direct, output("Hello"), key());
      expect(await platform.said()).toEqual(["Hello", "Hello"]);
      expect([typeof first.id, first.id === second.id]).toEqual(["string", false]);
    });

    law("a long answer with everything in it is taken, part for part", async () => {
      const { transport } = await connect();
      const replyToId = await platform.says("Tell me more");
      const text = [
        "# Title",
        "**bold** _it_ ~~gone~~ `a<b` [link](https://example.com/?a=1&b=2) @everyone",
        "> quoted",
        "- one\n- two\n  1. deep",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "```ts\nconst x = 1 < 2 && '😀';\n```",
        ...Array.from({ length: 400 }, (_, n) => `Paragraph ${n} has some words & signs <like> these.`),
      ].join("\n\n");
      const parts = channel.outgoing({ text, replyToId }, platform.direct);
      for (const part of parts) await transport.send(platform.direct, part, key());
      const said = await platform.said();
      expect(said.length).toBe(parts.length);
      const numbers = [...said.join("\n").matchAll(/Paragraph (\d+)/g)].map(([, number]) => Number(number));
      expect(numbers).toEqual(Array.from({ length: 400 }, (_, n) => n));
    });

    law("the same answer makes the same requests, and nothing makes none", async () => {
      const payload = Object.freeze({ text: "**Hi**", replyToId: "7", mediaUrls: ["media:cat.png"] });
      expect(channel.outgoing(payload, platform.direct)).toEqual(channel.outgoing(payload, platform.direct));
      expect(channel.outgoing({}, platform.direct)).toEqual([]);
      expect(channel.outgoing({ text: " \n" }, platform.direct)).toEqual([]);
    });

    law(
      "a file goes with its words",
      async () => {
        const bytes = Buffer.from("\x89PNG\r\n\x1a\n and so on", "latin1");
        const media = async () => ({ bytes, mimeType: "image/png", name: "cat.png" });
        const { transport } = await connect({ media });
        await platform.says("Hi");
        const parts = channel.outgoing({ text: "A cat", mediaUrl: "media:cat.png" }, platform.direct);
        for (const part of parts) await transport.send(platform.direct, part, key());
        expect((await platform.said()).join("")).toBe("A cat");
      },
      "files",
    );

    law(
      "an edit replaces, and one that changes nothing is no failure",
      async () => {
        const { transport } = await connect();
        await platform.says("Hi");
        const { id } = await transport.send(platform.direct, output("Hel"), key());
        await transport.edit?.(platform.direct, id, output("Hello"));
        await transport.edit?.(platform.direct, id, output("Hello"));
        expect(await platform.said()).toEqual(["Hello"]);
      },
      "edits",
    );

    law(
      "shows that it types",
      async () => {
        const { transport } = await connect();
        await platform.says("Hi");
        await expect(transport.typing?.(platform.direct)).resolves.toBe(undefined);
      },
      "types",
    );
  });

  describe(`${channel.title}, failing to send`, () => {
    law("to nowhere is refused", async () => {
      const { transport } = await connect();
      const error = await failureOf(transport.send(platform.nowhere, output("Hello"), key()));
      expect(error.fate).toBe("refused");
      expectNoSecret(error);
    });

    law(
      "too many is later, and says when",
      async () => {
        const { transport } = await connect();
        await platform.says("Hi");
        platform.failNext("too-many");
        const error = await failureOf(transport.send(platform.direct, output("Hello"), key()));
        expect([error.fate, Number(error.afterMs) > 0]).toEqual(["later", true]);
        expectNoSecret(error);
        expect(await platform.said()).toEqual([]);
        await transport.send(platform.direct, output("Hello"), key());
        expect(await platform.said()).toEqual(["Hello"]);
      },
      "too-many",
    );

    law(
      "nobody knows what became of a message whose answer was lost, and it is not sent again",
      async () => {
        const { transport } = await connect();
        await platform.says("Hi");
        platform.failNext("lost");
        const error = await failureOf(transport.send(platform.direct, output("Hello"), key()));
        expect(error.fate).toBe("unknown");
        expectNoSecret(error);
        expect(await platform.said()).toEqual(["Hello"]);
      },
      "lost",
    );

    law(
      "what never left can be sent later, and the channel waits",
      async () => {
        const session = await connect();
        await platform.stop();
        const error = await failureOf(session.transport.send(platform.direct, output("Hello"), key()));
        expect(error.fate).toBe("later");
        await session.until(() => session.states.at(-1)?.state === "waiting");
        expectNoSecret([error, session.states]);
      },
      "stop",
    );
  });

  describe(`${channel.title}, closed`, () => {
    law("it receives and tells nothing more", async () => {
      const { transport, inbound, states } = await connect();
      await transport.close();
      const told = states.length;
      await platform.says("Anybody there?");
      await platform.stop();
      expect([inbound.length, states.length - told]).toEqual([0, 0]);
    });
  });
}
