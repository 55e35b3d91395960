import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { TestGateway, TestGatewayOptions } from "../../fakes/gateway.js";
import { SteppedModel } from "../../fakes/stepped-model.js";
import { requireBuild, workspace } from "../../support/cli/run-cli.js";
import { strayRejections } from "../../support/stray-rejections.js";
import { everyClient } from "./clients/every-client.js";
import type { ClientKind, SessionClient } from "./clients/session-client.js";
import { frontGateway, SCRIPT, scripted, storedChat } from "./front-gateway.js";
import { startKillable } from "./killable-gateway.js";

const SESSION = "s1";

async function open(kind: ClientKind, options: TestGatewayOptions) {
  const gateway = await frontGateway(options);
  const place = { url: gateway.url, token: gateway.admin, session: SESSION };
  return { gateway, place, client: await kind.open(place) };
}

async function openStepped(kind: ClientKind) {
  const model = new SteppedModel();
  return { model, ...(await open(kind, { config: model.config, models: model })) };
}

/** The text of the last answer in the log, its turns joined. */
async function stored(gateway: TestGateway): Promise<string> {
  const { texts } = await storedChat(gateway, SESSION);
  const at = texts.findLastIndex((text) => text.startsWith("user: "));
  return texts
    .slice(at + 1)
    .map((text) => text.slice("assistant: ".length))
    .join("");
}

/** Answers with another client where the client under test cannot. */
async function approve(client: SessionClient, gateway: TestGateway, sending: Promise<void>): Promise<void> {
  if (client.approve !== undefined) {
    await sending;
    return client.approve();
  }
  const { conversation } = await storedChat(gateway, SESSION);
  const { permissions } = conversation;
  await expect.poll(async () => (await permissions.pending()).length).toBe(1);
  const [request] = await permissions.pending();
  await permissions.answer(request?.id ?? "", "once");
  return sending;
}

describe.each(everyClient)("$name", (kind) => {
  test("chats: its text is the stored one, and the same after a reload", async () => {
    const { gateway, client } = await open(kind, { config: scripted() });
    await client.send("say: Hello there.");
    await client.shows("Hello there.");
    expect(await stored(gateway)).toBe("Hello there.");
    await client.send("say: And again.");
    await client.shows("And again.");
    const again = await client.reload();
    await again.shows("And again.");
    expect(await stored(gateway)).toBe("And again.");
  });

  test("shows an answer with thinking and a tool", async () => {
    const { gateway, client } = await open(kind, { config: scripted() });
    await client.send(SCRIPT);
    await client.shows("Let me look.It is there.");
    expect(await stored(gateway)).toBe("Let me look.It is there.");
  });

  test("approves a tool, which runs once", async () => {
    const config = scripted();
    const { gateway, client } = await open(kind, { config });
    const sending = client.send('say: May I?\ncall: exec {"command":"echo x >> b.txt"}\n---\nsay: Done.');
    await client.shows("May I?");
    await approve(client, gateway, sending);
    await client.shows("May I?Done.");
    expect(await stored(gateway)).toBe("May I?Done.");
    expect(readFileSync(join(config.agents?.["main"]?.workspace ?? "", "b.txt"), "utf8")).toBe("x\n");
  });

  test("stops a run, and keeps the text so far", async () => {
    const { model, gateway, client } = await openStepped(kind);
    const sending = client.send("Go");
    await model.isAsked(1);
    model.send({ text: "Half" });
    await client.shows("Half");
    await client.stop();
    await sending;
    expect(client.answer).toBe("Half");
    const { conversation } = await storedChat(gateway, SESSION);
    await conversation.idle();
    expect(await stored(gateway)).toBe("Half");
    expect((await storedChat(gateway, SESSION)).stops).toEqual(["aborted"]);
  });

  test("is reloaded mid-answer, twice, and ends with the stored text", async () => {
    const { model, gateway, client } = await openStepped(kind);
    client.send("Count").catch(() => undefined);
    await model.isAsked(1);
    model.send({ text: "one " });
    await client.shows("one ");
    const second = await client.reload();
    await second.shows("one ");
    model.send({ text: "two " });
    await second.shows("one two ");
    const third = await second.reload();
    await third.shows("one two ");
    model.send({ text: "three", stop: "stop" });
    await third.shows("one two three");
    const { conversation } = await storedChat(gateway, SESSION);
    await conversation.idle();
    expect(await stored(gateway)).toBe("one two three");
  });
});

describe("two clients of different protocols in one session", () => {
  // Each is once the one that sends, and once the one that follows.
  const pairs = everyClient.map((kind, index) => [kind, everyClient.at(index - 4)] as const);
  test.each(pairs.map(([one, other]) => [one.name, other?.name, one, other] as const))(
    "%s sends, %s follows",
    async (_, __, kind, otherKind) => {
      if (otherKind === undefined) throw new Error("no other client");
      const { model, gateway, place, client } = await openStepped(kind);
      const other = await otherKind.open(place);
      const first = other.send("Uno");
      await model.isAsked(1);
      model.send({ text: "one", stop: "stop" });
      await first;
      await other.shows("one");
      const sending = client.send("Dos");
      await model.isAsked(2);
      model.send({ text: "two " });
      await client.shows("two ");
      const follower = await other.join();
      await follower.shows("two ");
      model.send({ text: "three", stop: "stop" });
      await sending;
      await Promise.all([client.shows("two three"), follower.shows("two three")]);
      expect(await stored(gateway)).toBe("two three");
      expect((await storedChat(gateway, SESSION)).texts[1]).toBe("assistant: one");
    },
  );
});

describe("kill -9 of the gateway mid-answer", () => {
  beforeAll(requireBuild);
  const files = workspace();

  /** The texts of the answers in the log of a session. */
  async function answersOf(session: string): Promise<string[]> {
    const name = `agent:main:page:dm:${session}`;
    const { stdout } = await files.dragoman([
      ...["sessions", "export", "--to", "openclaw", name, "--home", files.path("home")],
    ]);
    const lines = stdout.trim().split("\n");
    return lines.flatMap((line) => {
      const { role, content } = JSON.parse(line);
      return role === "assistant" ? [content.map(({ text = "" }) => text).join("")] : [];
    });
  }

  // Nine clients, one after another.
  test("leaves every client with the stored text, and able to continue", { timeout: 120_000 }, async () => {
    const stray = strayRejections();
    const { url, token, killAndStart } = await startKillable(files, {});
    const opened = await Promise.all(
      everyClient.map(async (kind, index) => {
        const session = `k${index}`;
        return { kind, session, client: await kind.open({ url, token, session }), isDone: false };
      }),
    );
    for (const one of opened) {
      const sending = one.client.send("say: First half.\nstall");
      sending.then(
        () => {
          one.isDone = true;
        },
        () => undefined,
      );
    }
    await Promise.all(opened.map(({ client }) => client.shows("First half.")));
    await killAndStart();
    for (const { kind, session, client, isDone } of opened) {
      await expect.poll(() => answersOf(session), { timeout: 20_000 }).toHaveLength(1);
      // A cut connection is an error, or a client connects again; it is never an answer that looks complete.
      expect([kind.name, isDone]).toEqual([kind.name, false]);
      const [kept = ""] = await answersOf(session);
      // All but the last words, as the process that resumes the session has stored them.
      expect(kept).toMatch(/^First/);
      const again = await client.reload();
      await again.shows(kept);
      await again.send("say: Whole.");
      await again.shows("Whole.");
      expect(await answersOf(session)).toEqual([kept, "Whole."]);
    }
    // The clients of AG-UI cancel a stream that has failed, and do not handle that this fails too.
    expect(stray.map(String)).toEqual([
      "TypeError: terminated",
      "TypeError: terminated",
      "TypeError: terminated",
    ]);
  });
});
