import { programNames } from "../runtime/continue/destination.js";
import { channelsCommand } from "./channels/commands.js";
import { completionCommand } from "./completion/commands.js";
import { configCommand } from "./config/commands.js";
import { action, type Command, type Declaration } from "./declaration.js";
import { keysCommand } from "./keys/commands.js";
import { mcpCommand } from "./mcp/commands.js";
import { modelsCommand } from "./models/commands.js";
import {
  conversation,
  count,
  flag,
  from,
  home,
  json,
  leaf,
  model,
  output,
  provider,
  sourceOfSession,
  to,
  transferOptions,
  value,
} from "./options.js";
import { sessionsCommand } from "./sessions/commands.js";
import { storeCommand } from "./store/commands.js";
import { tokenCommand } from "./token-commands.js";

const dash = "IN and OUT can be `-`: standard input and standard output.";

export const chatCommand = {
  name: "chat",
  summary: "talk to an agent, in the terminal or through a pipe",
  words: ["[PROMPT…]"],
  options: {
    print: { ...flag("ask once and print only the answer (implied when piped)"), short: "p" },
    json: flag("print each event of the run as a line of JSON"),
    partial: flag("like --json, with the message so far in each update"),
    session: { ...value("ID", "continue a session, by id, id prefix or key"), short: "s" },
    continue: { ...flag("continue the agent's latest chat (default: a new session)"), short: "c" },
    agent: value("A", "agent to talk to, from the config (default: main)"),
    model,
    workspace: value("DIR", "folder the agent's tools work in (default: the session's, or the current one)"),
    thinking: flag("show the model's thinking"),
    home,
  },
  notes: [
    "PROMPT and standard input are joined into one message. The exit code is 1 if there is no answer. --model and --workspace set the model and the folder of the session from now on.",
    "When piped there is no one to ask, so a tool runs only if a rule in the config allows it.",
  ],
  examples: [
    "dragoman chat",
    "dragoman chat --continue",
    "git diff | dragoman chat -p 'Write a commit message.'",
  ],
} as const satisfies Declaration;

export const viewCommand = {
  name: "view",
  summary: "view a transcript in the browser, or follow it in the terminal",
  words: ["[FILE|SESSION]"],
  options: {
    from,
    conversation,
    follow: { ...flag("print messages in the terminal as they are written, until Ctrl-C"), short: "f" },
    last: count("with --follow: how many messages to begin with (default: 10)"),
    thinking: flag("with --follow: include the model's thinking"),
    source: sourceOfSession,
    html: value(
      "OUT",
      "write one self-contained page with the transcript, or without FILE the viewer alone, and exit",
    ),
    port: value("N", "port to serve it on (default: any free port)"),
    "no-open": flag("print the link without opening the browser"),
    json: json("{url}, without opening the browser, or {file} with --html"),
    home,
  },
  notes: [
    "The link goes to standard output. It contains a secret and works only on this computer, until you press Ctrl-C. It is read-only.",
    "SESSION is the id of a session, a prefix of it, or its key: one of ours, or of any program on this computer.",
    "FILE and OUT can be `-`: standard input and standard output.",
  ],
  examples: [
    "dragoman view session.jsonl",
    "dragoman view history.json --html history.html",
    "dragoman view --html viewer.html",
    "dragoman view 3f2a9c1e --follow",
  ],
} as const satisfies Declaration;

export const convertCommand = {
  name: "convert",
  summary: "convert a transcript to another dialect and report losses",
  words: ["[IN]"],
  options: {
    ...transferOptions,
    from,
    leaf,
    conversation,
    all: flag("convert every conversation of IN into a file of its own in the folder OUT"),
    "dry-run": flag("report losses without writing OUT"),
    source: sourceOfSession,
    json: json(
      "{from, to, messages, losses, total, kinds: [{severity, count, what, why}], output}; for --to all: [{dialect, title, losses, total, kinds}]",
    ),
    home,
  },
  notes: [
    `${dash} IN can also be a session: its id, a prefix of it, or its key.`,
    "A file with several conversations, such as an export, is listed unless you choose one. --all never overwrites a file.",
    "--to all --dry-run prints what every dialect would lose, one line each.",
  ],
  examples: [
    "dragoman convert session.jsonl --to cline -o history.json",
    "dragoman convert 3f2a9c1e --to all --dry-run",
    "dragoman convert history.json --to openclaw --strict > session.jsonl",
    "cat session.jsonl | dragoman convert --to pi --escrow | gzip > pi.jsonl.gz",
    "dragoman convert conversations.json --to openclaw --all -o chats",
  ],
} as const satisfies Declaration;

export const continueCommand = {
  name: "continue",
  summary: "continue a session of any program in another program",
  words: ["FILE|SESSION"],
  options: {
    in: {
      ...value("PROGRAM", "program that continues it"),
      choices: programNames,
      required: true,
    },
    run: flag("start the program; needs --cwd if the session's folder is not the current one"),
    cwd: value("DIR", "folder to continue in (default: the session's, if it exists, or the current one)"),
    "dry-run": flag("show what would be lost and where it would go, without writing anything"),
    from,
    conversation,
    source: sourceOfSession,
    json: json("{program, session, path, messages, commands, folder, command, from, losses, written}"),
    home,
  },
  notes: [
    "SESSION is a session's id, a prefix of it, or its key. The source is not changed: the program gets a new session in its own folder, and no file is overwritten. Standard output is the command that resumes the session.",
  ],
  examples: [
    "dragoman continue session.jsonl --in claude-code",
    "dragoman continue 01KF0QJ2M8 --in pi --cwd ~/app --run",
    "dragoman continue session.jsonl --in dragoman --dry-run",
  ],
} as const satisfies Declaration;

export const checkCommand = {
  name: "check",
  summary: "report problems in a transcript, with line, column and a fix",
  words: ["IN"],
  options: {
    from,
    conversation,
    for: provider,
    drift: flag("instead list fields, types and values that the dialect does not know, without content"),
    source: sourceOfSession,
    home,
    json: json("{dialect, problems: [{at, line, column, code, message, hint, severity}]}"),
  },
  notes: [
    `${dash} IN can also be a session: its id, a prefix of it, or its key.`,
    "The exit code is 1 if there is any problem, errors and warnings alike.",
    "With --drift the exit code is 0, and --json prints {dialect, shapes: [{kind, path, type, count, at, line}], more, unread}.",
  ],
  examples: [
    "dragoman check session.jsonl",
    "dragoman check session.jsonl --for anthropic",
    "dragoman check 3f2a9c1e --drift",
    "dragoman check session.jsonl --json | jq .problems[].code",
  ],
} as const satisfies Declaration;

export const repairCommand = {
  name: "repair",
  summary: "fix the problems that have one unambiguous fix",
  words: ["IN"],
  options: {
    output,
    from,
    for: provider,
    "dry-run": flag("show each change without writing anything"),
    json: json("{dialect, changes, unplaced, notes, output}; needs --dry-run or -o"),
  },
  notes: ["IN is never modified. Records that fit nowhere go to OUT.unplaced.jsonl.", dash],
  examples: [
    "dragoman repair broken.jsonl --dry-run",
    "dragoman repair broken.jsonl -o fixed.jsonl --for openai-chat",
  ],
} as const satisfies Declaration;

export const detectCommand = {
  name: "detect",
  summary: "identify the dialect of a transcript",
  words: ["IN"],
  options: { json: json("[{dialect, confidence}], the likeliest first") },
  examples: [
    "dragoman detect session.jsonl",
    "curl -s https://example.com/session.jsonl | dragoman detect - --json",
  ],
} as const satisfies Declaration;

export const replayCommand = {
  name: "replay",
  summary: "write a transcript line by line, at the pace it happened",
  words: ["IN"],
  options: {
    to,
    from,
    conversation,
    speed: { ...value("N", "N times as fast; 0 or inf does not wait"), default: "1" },
  },
  notes: [
    "Each record is a line. A dialect that streams sends its records in frames, spread over the time until the next message. At speed 1 no pause is longer than 5 seconds.",
  ],
  examples: [
    "dragoman replay session.jsonl --to timbal --speed 4",
    "dragoman replay session.jsonl --to openclaw --speed inf | head -n 3",
  ],
} as const satisfies Declaration;

export const dialectsCommand = {
  name: "dialects",
  summary: "list the dialects",
  words: [],
  options: { json: json("[{name, title, kind, reads, writes, streams, conversations}]") },
  examples: ["dragoman dialects", "dragoman dialects --json | jq -r .[].name"],
} as const satisfies Declaration;

export const tourCommand = {
  name: "tour",
  summary: "see what Dragoman does, without keys or services",
  words: [],
  options: {
    json: json(
      "{detected, problems, conversions: [{dialect, losses}], roundTrips: [{dialect, identical}]}, of the sample",
    ),
  },
  examples: ["dragoman tour"],
} as const satisfies Declaration;

export const serveCommand = {
  name: "serve",
  summary: "start the gateway: web app, APIs and chat platforms",
  words: [],
  options: {
    host: value("H", "address to listen on (default: 127.0.0.1, this computer only)"),
    port: value("N", "port; 0 picks a free one (default: 18800)"),
    advertise: value("URL", "where other gateways on the same store reach this one (default: not at all)"),
    home,
    store: value("URL", "PostgreSQL database that several gateways share (default: the files in the home)"),
    model: value("P/M", "model of every agent that names none, such as anthropic/claude-opus-5-5"),
    json: flag('print {"event":"listening","url","token"} once the server is ready'),
  },
  notes: [
    "DRAGOMAN_HOST, DRAGOMAN_PORT, DRAGOMAN_STORE, DRAGOMAN_ADVERTISE and DRAGOMAN_MODEL set the same options; so does config.json. DRAGOMAN_CLUSTER_TOKEN is what gateways on one store have in common (default: one that the store keeps). The log goes to standard error: a line for each message, run and failure on a terminal, otherwise lines of JSON.",
    "SIGTERM or SIGINT stops it when the current runs have ended, or after five seconds; a second one stops it immediately.",
  ],
  examples: ["dragoman serve", "dragoman serve --port 0 --json --model demo/echo"],
} as const satisfies Declaration;

export const acpCommand = {
  name: "acp",
  summary: "let an editor talk to an agent, over the Agent Client Protocol",
  words: [],
  options: {
    agent: value("A", "agent of new sessions, from the config (default: main)"),
    home,
  },
  notes: [
    "Editors start this command and talk to it through standard input and output; the log goes to standard error. It uses the gateway of the home if one is running, and otherwise opens the home itself.",
  ],
  examples: ["dragoman acp", "dragoman acp --agent coder"],
} as const satisfies Declaration;

export const usageCommand = {
  name: "usage",
  summary: "list what calls of models used and cost",
  words: [],
  options: {
    by: {
      ...value("WHAT", "what each row is"),
      choices: ["day", "token", "agent", "model"],
      default: "model",
    },
    since: value("DATE", "first day, UTC: 2026-11-01, or 7d ago (default: the first of this month)"),
    until: value("DATE", "last day, UTC (default: today)"),
    home,
    json: json(
      "{by, since, until, rows: [{name, calls, input, output, cacheRead, cacheWrite, reasoning, cost, unpriced}], total}",
    ),
  },
  notes: [
    "Calls of agents, chats, channels and clients count. The token of a call that did not come through the gateway is `local`.",
  ],
  examples: [
    "dragoman usage",
    "dragoman usage --by token --since 2026-11-01",
    "dragoman usage --by day --json",
  ],
} as const satisfies Declaration;

export const doctorCommand = {
  name: "doctor",
  summary: "diagnose this installation and suggest fixes",
  words: [],
  options: {
    home,
    json: json("{findings: [{subject, level: ok|warning|problem, message, fix}]}"),
  },
  notes: ["The exit code is 1 if there is a problem. No key is printed or sent."],
  examples: ["dragoman doctor", "dragoman doctor --json | jq '.findings[] | select(.level != \"ok\")'"],
} as const satisfies Declaration;

/** Every command, in the order the help lists them. */
export const commands: readonly Command[] = [
  action(chatCommand, () => import("./chat/chat.js")),
  action(viewCommand, () => import("./view/view.js")),
  action(convertCommand, () => import("./convert.js")),
  action(continueCommand, () => import("./continue/continue.js")),
  action(checkCommand, () => import("./check.js")),
  action(repairCommand, () => import("./repair.js")),
  action(detectCommand, () => import("./detect.js")),
  action(replayCommand, () => import("./replay.js")),
  action(dialectsCommand, () => import("./dialects.js")),
  sessionsCommand,
  action(tourCommand, () => import("./tour.js")),
  action(serveCommand, () => import("./serve.js")),
  action(acpCommand, () => import("./acp/acp.js")),
  channelsCommand,
  tokenCommand,
  storeCommand,
  action(usageCommand, () => import("./usage.js")),
  modelsCommand,
  keysCommand,
  configCommand,
  mcpCommand,
  action(doctorCommand, () => import("./doctor/doctor.js")),
  action(completionCommand, () => import("./completion/completion.js")),
];
