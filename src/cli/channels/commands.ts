import type { Action, CommandGroup } from "../commands.js";

const home = "  --home DIR        where the configuration is; DRAGOMAN_HOME, or ~/.dragoman, unless given";
/** What the channels declare of themselves is loaded for those who ask. */
const declared = async () => (await import("./declared-help.js")).declaredHelp();

const subcommands: Action[] = [
  {
    name: "add",
    usage: "channels add ACCOUNT [--token-stdin] [--SETTING VALUE] [--agent A] [--no-test] [--json]",
    summary: "connect an account of a chat platform, or give it another token",
    details: async () => {
      const { options, names, variables, examples } = await declared();
      return [
        "Options:",
        "  --token-stdin     read the token or secret from standard input instead of asking for it",
        ...options,
        "  --agent A         who answers, one of the configuration's agents (default main)",
        "  --no-test         do not ask the platform whether it accepts the token, nor link a phone",
        "  --json            {channel, account, me}",
        home,
        "",
        ...names,
        "",
        "The token is asked for without being shown, tried, and written to config.json, which only you can read. It stays",
        `out of the file if the environment has it: ${variables};`,
        "for telegram/work DRAGOMAN_TELEGRAM_TOKEN_WORK. Nobody is answered before you approve them.",
        "",
        "Examples:",
        ...examples,
      ];
    },
    load: () => import("./add.js"),
  },
  {
    name: "list",
    usage: "channels list [--json]",
    summary: "the accounts, who answers there, and whom",
    details: [
      "Options:",
      "  --json            [{channel, account, agent, direct, groups, secret, known, pending}]; no secret is in it",
      home,
      "",
      "Examples:",
      "  dragoman channels list",
    ],
    load: () => import("./list.js"),
  },
  {
    name: "status",
    usage: "channels status [--port N] [--json]",
    summary: "how the accounts of the running gateway are doing",
    details: [
      "Options:",
      "  --port N          where the gateway listens; DRAGOMAN_PORT, gateway.port or 18800 unless given",
      "  --json            {gateway, channels: [{channel, account, state, waiting, unsent, unknown, refused, pairing, …}]}",
      home,
      "",
      "WAITING messages are not answered yet, UNSENT parts of answers are not sent yet. Of UNKNOWN ones nobody knows whether",
      "they arrived: they are not sent again. REFUSED ones the platform did not take. PAIRING people wait for `approve`.",
      "",
      "Examples:",
      "  dragoman channels status",
      "  dragoman channels status --json | jq '.channels[] | select(.state != \"connected\")'",
    ],
    load: () => import("./status.js"),
  },
  {
    name: "approve",
    usage: "channels approve [CODE] [--owner] [--json]",
    summary: "let in somebody who was told a code; without one, list who waits",
    details: [
      "Options:",
      "  --owner           they may also give commands: /new, /stop, /status, /compact",
      "  --json            {channel, account, id, name, owner}; without CODE an array of who waits",
      home,
      "",
      "A stranger who writes to an account is told a code of 8 characters and has to give it to you some other way. It is",
      "good for an hour. A gateway that is running notices at once.",
      "",
      "Examples:",
      "  dragoman channels approve",
      "  dragoman channels approve K7QX-2MPA --owner",
    ],
    load: () => import("./approve.js"),
  },
  {
    name: "remove",
    usage: "channels remove ACCOUNT [--files | --person ID] [--json]",
    summary: "take an account out of the configuration, or somebody off its list",
    details: async () => {
      const { names } = await declared();
      return [
        "Options:",
        "  --files           also delete who was let in, what waits to be sent, and the keys of a linked device",
        "  --person ID       only do not answer this person any more",
        "  --json            {channel, account} or {channel, account, person}",
        home,
        "",
        ...names,
        "",
        "Examples:",
        "  dragoman channels remove telegram --person 123456789",
        "  dragoman channels remove telegram/work --files",
      ];
    },
    load: () => import("./remove.js"),
  },
  {
    name: "test",
    usage: "channels test [ACCOUNT] [--json]",
    summary: "ask the platforms whether they accept the tokens; the webhook's receiver gets a signed test",
    details: async () => {
      const { names } = await declared();
      return [
        "Options:",
        "  --json            [{channel, account, ok, me, error}]",
        home,
        "",
        ...names,
        "",
        "Nothing is received by it. The exit code is 1 if one is not accepted.",
        "",
        "Examples:",
        "  dragoman channels test",
        "  dragoman channels test telegram/work",
      ];
    },
    load: () => import("./test.js"),
  },
  {
    name: "normalise",
    usage: "channels normalise PLATFORM [FILE] [--bot ID]",
    summary: "turn a native message of a platform into an OpenClaw message",
    details: async () => {
      const { forms } = await declared();
      return [
        "Options:",
        "  --bot ID          who received it, which becomes To (default: empty)",
        "",
        "PLATFORM is one of these. FILE holds the message as JSON (default: standard input). The exit code is 1 if it is not a",
        "message, and standard error says why.",
        "",
        ...forms,
        "",
        "Examples:",
        "  dragoman channels normalise telegram --bot 987654321 < update.json",
        "  dragoman channels normalise telegram update.json | jq .Text",
      ];
    },
    load: () => import("./normalise.js"),
  },
  {
    name: "render",
    usage: "channels render PLATFORM [FILE] [--chat ID] [--reply-to ID]",
    summary: "turn an answer in Markdown into the requests that say it on a platform",
    details: async () => {
      const { replying, platforms } = await declared();
      return [
        "Options:",
        `  --chat ID         the chat that it is sent to; a reply on ${replying} names it`,
        "  --reply-to ID     the message that it answers",
        "",
        `PLATFORM is ${platforms}. FILE holds the answer (default: standard input). The result is a`,
        "JSON array with one object for each message. Nothing is sent.",
        "",
        "Examples:",
        "  dragoman channels render telegram < answer.md",
        "  dragoman channels render telegram answer.md --chat 987654321 --reply-to 456",
      ];
    },
    load: () => import("./render.js"),
  },
];

export const channelsCommand: CommandGroup = {
  name: "channels",
  usage: "channels COMMAND [OPTIONS]",
  summary: "let people talk with your agents on chat platforms",
  details: [
    "`dragoman channels COMMAND --help` explains one.",
    "",
    "Examples:",
    "  dragoman channels add telegram",
  ],
  subcommands,
};
