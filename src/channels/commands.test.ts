import { expect, test } from "vitest";
import { type ChannelCommands, commandOf, runCommand } from "./commands.js";
import type { Chat } from "./types.js";

const me = { id: "42", name: "MyBot" };

interface Case {
  kind?: Chat["kind"];
  addressed?: boolean;
  isOwner?: boolean;
  verdict?: "answer" | "context" | "ignore";
}

function parsed(
  Text: string,
  { kind = "direct", addressed = false, isOwner = true, verdict = "answer" }: Case = {},
  bot = me,
) {
  const command = commandOf(
    { message: { From: "7", To: "42", ChatType: kind, Text }, place: { kind, chat: "7" }, addressed },
    { isOwner, verdict },
    bot,
  );
  return command === undefined ? undefined : `${command.name}|${command.rest}`;
}

test.each<[string, string | undefined, Case?]>([
  ["/stop", "stop|"],
  [" /Stop \n", "stop|"],
  ["/new and this", "new|and this"],
  ["/help@mybot", "help|"],
  ["/stop", undefined, { isOwner: false }],
  ["/stop@mybot", undefined, { isOwner: false, kind: "group", addressed: true }],
  ["/stop@otherbot", undefined],
  ["/stop@otherbot", undefined, { kind: "group", addressed: true }],
  ["/stop@mybot", "stop|", { kind: "group", verdict: "context" }],
  ["/stop", undefined, { kind: "group", verdict: "context" }],
  ["/stop", "stop|", { kind: "group", addressed: true }],
  ["@mybot /compact", "compact|", { kind: "group", verdict: "context" }],
  ["<@42> /status", "status|", { kind: "channel", verdict: "context" }],
  ["<@!42> /status", "status|", { kind: "channel", verdict: "context" }],
  ["<@43> /status", undefined, { kind: "channel", addressed: true }],
  ["/stop@mybot", undefined, { kind: "group", verdict: "ignore" }],
  ["/delete", undefined],
  ["/approve 1 allow-always", undefined],
  ["/constructor", undefined],
  ["please /stop", undefined],
  ["//stop", undefined],
  ["/stop.", undefined],
  ["", undefined],
])("%j is %j %j", (text, expected, given) => {
  expect(parsed(text, given)).toBe(expected);
});

test.each<[string, string | undefined]>([
  ["@My Helper /status", "status|"],
  ["/status@my helper", "status|"],
  ["/status@My Helper now", "status|now"],
  ["@My Helpers /status", undefined],
  ["/status@My", undefined],
])("a bot whose name has a space: %j is %j", (text, expected) => {
  expect(parsed(text, { kind: "channel", verdict: "context" }, { id: "42", name: "My Helper" })).toBe(
    expected,
  );
});

test.each<[string, string | undefined]>([
  ["/status@helper_bot", "status|"],
  ["@Helper_Bot /status", "status|"],
  ["/status@My Helper", "status|"],
  ["/status <@42>", "status|"],
  ["/status<@!42>", "status|"],
  ["/status @helper_bot", "status|"],
  ["<@42> /status", "status|"],
  ["/status@other_bot", undefined],
  ["/status <@43>", undefined],
  ["/status @other_bot", undefined],
  ["@other_bot /status", undefined],
  ["/status@helper_bots", undefined],
])("a bot with a user name and another name that is shown: %j is %j", (text, expected) => {
  const bot = { id: "42", name: "My Helper", otherNames: ["helper_bot"] };
  expect(parsed(text, { kind: "channel", verdict: "context" }, bot)).toBe(expected);
});

test("a name after the command means nobody while we do not know who we are", () => {
  const inbound = { message: { From: "7", To: "42", ChatType: "direct" as const, Text: "/stop@mybot" } };
  const place = { kind: "direct" as const, chat: "7" };
  expect(
    commandOf({ ...inbound, place, addressed: true }, { isOwner: true, verdict: "answer" }, undefined),
  ).toBeUndefined();
});

test("each does what it says, and none takes anything", async () => {
  const done: string[] = [];
  const act = (name: string) => async () => {
    done.push(name);
    return `${name} done`;
  };
  const commands: ChannelCommands = {
    new: act("new"),
    stop: act("stop"),
    status: act("status"),
    compact: act("compact"),
  };
  expect(await runCommand({ name: "stop", rest: "" }, commands)).toBe("stop done");
  expect(await runCommand({ name: "new", rest: "hello" }, commands)).toBe(
    "Please send /new on its own, with nothing after it. I haven't done anything yet.",
  );
  expect(await runCommand({ name: "help", rest: "" }, commands)).toBe(
    [
      "/help: show this list",
      "/new: start a new conversation; the old one is kept",
      "/stop: stop the current answer",
      "/status: show the model, the session and whether I'm working on an answer",
      "/compact: summarise the conversation to make it shorter",
    ].join("\n"),
  );
  expect(done).toEqual(["stop"]);
});
