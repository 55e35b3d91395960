import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ChatPlatform, inboundOf } from "../fakes/chat-platform.js";
import { type TestDesk, testDesk } from "../fakes/desk.js";
import { FakeMcpHttp } from "../fakes/mcp/fake-http-server.js";
import { SteppedWorld } from "../fakes/stepped-world.js";

const OWNER = { id: "7", name: "Ann" };
const STRANGER = { id: "8", name: "Eve" };
const GROUP = { kind: "group", chat: "g" } as const;
const SCRIPT = 'call: exec {"command":"touch canary"}\n---\nsay: done';
const config = { model: "demo/script" };
const settings = {
  direct: "open" as const,
  owners: [OWNER.id],
  groups: "always" as const,
  allowGroups: ["g"],
};

function hasRun({ home }: TestDesk): boolean {
  return existsSync(join(home, "agents", "main", "workspace", "canary"));
}

/** The chat's first message, once the desk knows that it was sent. */
async function sentId(platform: ChatPlatform, { desk }: TestDesk): Promise<string> {
  await expect.poll(async () => (await desk.status())[0]?.unsent, { interval: 5 }).toBe(0);
  return platform.shown[0]?.id ?? "";
}

function reply(text: string, to: string, more: Parameters<typeof inboundOf>[1] = {}) {
  const inbound = inboundOf(text, more);
  return { ...inbound, message: { ...inbound.message, ReplyToId: to } };
}

test("without buttons the owner replies with a number, and a message shows the outcome", async () => {
  const platform = new ChatPlatform();
  const desk = testDesk(platform, { config, settings });
  await platform.say(inboundOf(SCRIPT));
  const [question = ""] = await platform.hasShown("7", 1);
  expect(question).toContain(
    "Reply to this message with 1 (yes), 2 (always in this conversation) or 3 (no).",
  );
  expect(hasRun(desk)).toBe(false);
  await platform.say(reply("1", await sentId(platform, desk)));
  const shown = await platform.hasShown("7", 3);
  expect(hasRun(desk)).toBe(true);
  expect(shown.slice(1).sort()).toEqual([
    "done",
    "🔐 May I run `exec`?\n\n```\ntouch canary\n```\n\n✅ Allowed once.",
  ]);
});

test("a stranger's reply in a group answers nothing; the owner's does", async () => {
  const platform = new ChatPlatform();
  const desk = testDesk(platform, { config, settings });
  await platform.say(inboundOf(SCRIPT, { place: GROUP, sender: STRANGER }));
  await platform.hasShown("g", 1);
  const to = await sentId(platform, desk);
  await platform.say(reply("yes", to, { place: GROUP, sender: STRANGER }));
  const conversation = await desk.runtime.begin({ key: "agent:main:telegram:group:g" });
  await expect.poll(async () => (await conversation.messages()).length, { interval: 5 }).toBeGreaterThan(4);
  expect(await conversation.permissions.pending()).toHaveLength(1);
  expect(hasRun(desk)).toBe(false);
  await platform.say(reply("no", to, { place: GROUP, sender: OWNER }));
  await platform.until(() => platform.texts("g").some((text) => text.endsWith("🚫 Denied.")));
  expect(hasRun(desk)).toBe(false);
});

test("a question that was answered elsewhere shows the outcome", async () => {
  const platform = new ChatPlatform();
  const desk = testDesk(platform, { config, settings });
  await platform.say(inboundOf(SCRIPT));
  await platform.hasShown("7", 1);
  const conversation = await desk.runtime.begin({ key: "agent:main:telegram:dm:7" });
  const [request] = await conversation.permissions.pending();
  expect(await conversation.permissions.answer(request?.id ?? "", "never", { by: "T1" })).toBe(true);
  await platform.until(() => platform.texts("7").some((text) => text.endsWith("🚫 Denied.")));
  expect(hasRun(desk)).toBe(false);
});

test("no typing indicator is shown while the owner is asked", async () => {
  const platform = new ChatPlatform({ traits: { typingMs: 1000 } });
  const world = new SteppedWorld();
  const desk = testDesk(platform, { config, settings, world });
  await platform.say(inboundOf(SCRIPT));
  await world.until(platform.hasShown("7", 1));
  const typing = () => platform.requests.filter((request) => request === "typing 7").length;
  const before = typing();
  world.pass(60_000);
  expect(typing()).toBe(before);
  const conversation = await desk.runtime.begin({ key: "agent:main:telegram:dm:7" });
  const [request] = await conversation.permissions.pending();
  await conversation.permissions.answer(request?.id ?? "", "never");
  await world.until(platform.hasShown("7", 3));
});

test("the owner fills the form of an MCP server with a reply; a value that does not fit leaves it open", async () => {
  const server = new FakeMcpHttp({
    versions: ["2026-07-28"],
    tools: {
      book: {
        async run({ elicit }) {
          const properties = { seats: { type: "integer", title: "Seats" } };
          const answer = await elicit({
            message: "How many?",
            requestedSchema: { type: "object", properties, required: ["seats"] },
          });
          return { content: [{ type: "text", text: JSON.stringify(answer) }] };
        },
      },
    },
  });
  onTestFinished(() => server.close());
  const mcpServers = { travel: { url: await server.listen() } };
  const permissions = [{ tool: "travel/*", action: "allow" as const }];
  const platform = new ChatPlatform();
  const desk = testDesk(platform, {
    config: { ...config, mcpServers, agents: { main: { permissions } } },
    settings,
  });
  await platform.say(inboundOf("call: travel__book {}\n---\nsay: done"));
  const [question = ""] = await platform.hasShown("7", 1);
  expect(question).toContain("```\nHow many?\n\nSeats: a whole number\n```");
  const to = await sentId(platform, desk);
  await platform.say(reply("two", to));
  expect((await platform.hasShown("7", 2))[1]).toBe(
    'Seats: expected a whole number. Reply to the question again, or with "decline".',
  );
  await platform.say(reply("2", to));
  const shown = await platform.hasShown("7", 4);
  expect(shown.slice(2).sort()).toEqual([
    "done",
    "🔐 `travel` asks:\n\n```\nHow many?\n\nSeats: a whole number\n```\n\n✅ Answered.",
  ]);
  const conversation = await desk.runtime.begin({ key: "agent:main:telegram:dm:7" });
  const [result] = (await conversation.messages()).filter(({ role }) => role === "toolResult");
  expect(result).toMatchObject({
    content: [{ type: "text", text: '{"action":"accept","content":{"seats":2}}' }],
  });
});
