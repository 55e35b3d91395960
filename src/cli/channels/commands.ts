import { action, type CommandGroup, type Declaration } from "../declaration.js";
import { flag, home, json, value } from "../options.js";

const declared = () => import("./declared.js");

export const addCommand = {
  name: "channels add",
  summary: "connect an account of a chat platform, or replace its token",
  words: ["ACCOUNT"],
  options: {
    "token-stdin": flag("read the token or secret from standard input"),
    agent: value("A", "agent that answers, from the config (default: main)"),
    "no-test": flag("do not verify the token or link a phone"),
    json: json("{channel, account, me}"),
    home,
  },
  examples: ["dragoman channels add telegram"],
  more: async () => (await declared()).forAdding(),
} as const satisfies Declaration;

export const listCommand = {
  name: "channels list",
  summary: "list accounts, their agent and who may talk to them",
  words: [],
  options: {
    json: json("[{channel, account, agent, direct, groups, secret, known, pending}], without any secret"),
    home,
  },
  examples: ["dragoman channels list"],
} as const satisfies Declaration;

export const statusCommand = {
  name: "channels status",
  summary: "show the state of the accounts in the running gateway",
  words: [],
  options: {
    json: json(
      "{gateway, channels: [{channel, account, state, waiting, unsent, unknown, refused, pairing, …}]}",
    ),
    home,
  },
  notes: [
    "WAITING: messages not answered yet. UNSENT: parts of answers not sent yet. UNKNOWN: parts that may or may not have been delivered; they are not sent again. REFUSED: parts that the platform rejected. PAIRING: people waiting for `approve`.",
  ],
  examples: [
    "dragoman channels status",
    "dragoman channels status --json | jq '.channels[] | select(.state == \"off\")'",
  ],
} as const satisfies Declaration;

export const approveCommand = {
  name: "channels approve",
  summary: "approve a person by their code; without CODE, list pending requests",
  words: ["[CODE]"],
  options: {
    owner: flag("also allow commands: /new, /stop, /status, /compact"),
    json: json("{channel, account, id, name, owner}; without CODE, an array of requests"),
    home,
  },
  notes: [
    "A stranger who writes to an account receives a code of 8 characters and has to give it to you some other way, within an hour. A running gateway notices the approval immediately.",
  ],
  examples: ["dragoman channels approve", "dragoman channels approve K7QX-2MPA --owner"],
} as const satisfies Declaration;

export const removeCommand = {
  name: "channels remove",
  summary: "remove an account from the config, or revoke one person",
  words: ["ACCOUNT"],
  options: {
    files: flag("also delete its approved people, its unsent answers and the keys of a linked device"),
    person: value("ID", "revoke this person only"),
    json: json("{channel, account} or {channel, account, person}"),
    home,
  },
  examples: [
    "dragoman channels remove telegram --person 123456789",
    "dragoman channels remove telegram/work --files",
  ],
  more: async () => (await declared()).forNaming(),
} as const satisfies Declaration;

export const testCommand = {
  name: "channels test",
  summary: "check that the platforms accept the tokens",
  words: ["[ACCOUNT]"],
  options: { json: json("[{channel, account, ok, me, error}]"), home },
  notes: [
    "A webhook receives a signed test request. No messages are received. The exit code is 1 if a token is not accepted.",
  ],
  examples: ["dragoman channels test", "dragoman channels test telegram/work"],
  more: async () => (await declared()).forNaming(),
} as const satisfies Declaration;

export const normaliseCommand = {
  name: "channels normalise",
  summary: "convert a native message of a platform to an OpenClaw message",
  words: ["PLATFORM", "[FILE]"],
  options: { bot: value("ID", "account that received it, which becomes To (default: empty)") },
  notes: [
    "FILE contains the message as JSON (default: standard input). The exit code is 1 if it is not a message; the reason goes to standard error.",
  ],
  examples: [
    "dragoman channels normalise telegram --bot 987654321 < update.json",
    "dragoman channels normalise telegram update.json | jq .Text",
  ],
  more: async () => (await declared()).forNormalising(),
} as const satisfies Declaration;

export const renderCommand = {
  name: "channels render",
  summary: "convert an answer in Markdown to the requests of a platform",
  words: ["PLATFORM", "[FILE]"],
  options: {
    chat: value("ID", "chat to send to"),
    "reply-to": value("ID", "message to reply to"),
  },
  notes: [
    "FILE contains the answer (default: standard input). The result is a JSON array with one object for each message. Nothing is sent.",
  ],
  examples: [
    "dragoman channels render telegram < answer.md",
    "dragoman channels render telegram answer.md --chat 987654321 --reply-to 456",
  ],
  more: async () => (await declared()).forRendering(),
} as const satisfies Declaration;

export const channelsCommand: CommandGroup = {
  name: "channels",
  summary: "connect agents to chat platforms and webhooks",
  examples: ["dragoman channels add telegram"],
  subcommands: [
    action(addCommand, () => import("./add.js")),
    action(listCommand, () => import("./list.js")),
    action(statusCommand, () => import("./status.js")),
    action(approveCommand, () => import("./approve.js")),
    action(removeCommand, () => import("./remove.js")),
    action(testCommand, () => import("./test.js")),
    action(normaliseCommand, () => import("./normalise.js")),
    action(renderCommand, () => import("./render.js")),
  ],
};
