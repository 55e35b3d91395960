import { action, type CommandGroup, type Declaration } from "../declaration.js";
import {
  conversation,
  count,
  flag,
  from,
  home,
  json,
  leaf,
  sourceOfSession,
  title,
  transferOptions,
  value,
} from "../options.js";

const names = "ID is a session's id, a prefix of it, or its key.";
const source = value("NAME", "sessions of this program on this computer, or all (default: dragoman)");

export const listCommand = {
  name: "sessions list",
  summary: "list sessions, newest first, forks under their parent",
  words: [],
  options: {
    agent: value("A", "only sessions of this agent"),
    all: flag("include archived sessions"),
    archived: flag("only archived sessions"),
    source,
    limit: count("maximum number of sessions (default: 30)"),
    json: json("an array with the indexed data of each session"),
    home,
  },
  examples: [
    "dragoman sessions list",
    "dragoman sessions list --source claude-code",
    "dragoman sessions list --home ~/.openclaw --limit 100",
    "dragoman sessions list --json | jq -r .[].id",
  ],
} as const satisfies Declaration;

export const showCommand = {
  name: "sessions show",
  summary: "print the transcript of a session",
  words: ["ID"],
  options: {
    last: count("only the last N messages"),
    thinking: flag("include the model's thinking"),
    ids: flag("print the id of each message, for `fork --at`"),
    losses: flag("print every recorded loss (default: one line for each translation)"),
    raw: flag("print the lines as they are stored"),
    source: sourceOfSession,
    json: json("{session, messages}"),
    home,
  },
  notes: [names],
  examples: [
    "dragoman sessions show 01KF0QJ2M8",
    "dragoman sessions show agent:main:telegram:dm:123456789 --last 10",
  ],
} as const satisfies Declaration;

export const searchCommand = {
  name: "sessions search",
  summary: "find messages in all sessions, those of other programs included",
  words: ["QUERY"],
  options: {
    agent: value("A", "only in sessions of this agent"),
    role: { ...value("R", "only messages of this role"), choices: ["user", "assistant", "toolResult"] },
    since: value("D", "not before D: 2026-01-15, 2026-01-15T09:30, or 3d for three days ago (m, h, d, w)"),
    until: value("D", "not after D"),
    source: value("NAME", "only sessions of this source (default: all; dragoman with --agent or --home)"),
    limit: count("maximum number of messages (default: 20)"),
    json: json(
      "{hits: [{session, source, message, role, timestamp, snippet}], matches, ignored}; matches are counted up to 1,001",
    ),
    home,
  },
  notes: ['A query is words that must all occur, "exact phrases", and -words that must not occur.'],
  examples: [
    "dragoman sessions search greet.ts",
    "dragoman sessions search '\"log file\" -draft' --role user --since 7d",
    "dragoman sessions search 'flaky test' --source claude-code",
  ],
} as const satisfies Declaration;

export const forkCommand = {
  name: "sessions fork",
  summary: "copy a session, to continue it differently; prints the id of the copy",
  words: ["ID"],
  options: {
    at: value("MESSAGE", "last message to copy; `dragoman sessions show ID --ids` lists them"),
    title,
    json: json("{session, parent}"),
    home,
  },
  notes: [names, "The copy of a session that another program wrote can be continued here."],
  examples: [
    "dragoman sessions fork 01KF0QJ2M8",
    'dragoman sessions fork 01KF0QJ2M8 --at 01KF0QJ5T3 --title "Without the tests"',
  ],
} as const satisfies Declaration;

export const exportCommand = {
  name: "sessions export",
  summary: "write a session in any dialect and report losses",
  words: ["ID"],
  options: { ...transferOptions, source: sourceOfSession, home },
  notes: [names],
  examples: [
    "dragoman sessions export 01KF0QJ2M8 --to cline -o history.json",
    "dragoman sessions export agent:main:main --to openclaw > session.jsonl",
    "dragoman sessions export 3f2a9c1e --source claude-code --to pi > pi.jsonl",
  ],
} as const satisfies Declaration;

export const importCommand = {
  name: "sessions import",
  summary: "store a transcript of any dialect as a session; prints its id",
  words: ["FILE"],
  options: {
    from,
    agent: value("A", "agent that gets the session (default: main)"),
    key: value("K", "key of the session, such as agent:main:telegram:dm:123456789"),
    title,
    leaf,
    conversation,
    json: json("{session, from, messages, losses}"),
    home,
  },
  notes: ["FILE can be `-`: standard input. Nothing is stored unless all of it can be read."],
  examples: [
    'dragoman sessions import session.jsonl --title "From the old machine"',
    "curl -s https://example.com/a.json | dragoman sessions import - --from cline",
  ],
} as const satisfies Declaration;

export const compactCommand = {
  name: "sessions compact",
  summary: "have the model summarise older messages, to make room for new ones",
  words: ["ID"],
  options: {
    undo: flag("undo the last compaction: show the model the full history again"),
    json: json("{session, changed, summary}"),
    home,
  },
  notes: [
    names,
    "The session's own model writes the summary. Nothing is deleted: only what the model is shown changes.",
  ],
  examples: ["dragoman sessions compact 01KF0QJ2M8", "dragoman sessions compact 01KF0QJ2M8 --undo"],
} as const satisfies Declaration;

export const repairCommand = {
  name: "sessions repair",
  summary: "repair a damaged session in a copy; prints the id of the copy",
  words: ["ID"],
  options: {
    "dry-run": flag("show the problems and each change without writing anything"),
    json: json("{session, problems, changes, unplaced, repaired}"),
    home,
  },
  notes: [names, "The copy takes over the key, and the damaged session is archived unchanged."],
  examples: ["dragoman sessions repair 01KF0QJ2M8 --dry-run", "dragoman sessions repair 01KF0QJ2M8"],
} as const satisfies Declaration;

export const archiveCommand = {
  name: "sessions archive",
  summary: "hide a session from the list, without deleting it",
  words: ["ID"],
  options: {
    undo: flag("show it in the list again"),
    json: json("{session, archived}"),
    home,
  },
  notes: [names],
  examples: ["dragoman sessions archive 01KF0QJ2M8", "dragoman sessions list --archived"],
} as const satisfies Declaration;

export const statsCommand = {
  name: "sessions stats",
  summary: "print messages, tokens and cost, of one session or of all",
  words: ["[ID]"],
  options: {
    by: {
      ...value("WHAT", "what each row is (default: totals, then models)"),
      choices: ["day", "model", "project", "source"],
    },
    source: value(
      "NAME",
      "sessions of this program on this computer, or all (default: dragoman; all with --by source)",
    ),
    json: json(
      "{sessions, archived, counts, usage, unknownPrices, models}; with --by: {by, rows: [{name, sessions, answers, usage, unknownPrices}]}",
    ),
    home,
  },
  notes: [names],
  examples: [
    "dragoman sessions stats",
    "dragoman sessions stats 01KF0QJ2M8",
    "dragoman sessions stats --by source",
    "dragoman sessions stats --by project --source all",
    "dragoman sessions stats --by day --source claude-code --json",
  ],
} as const satisfies Declaration;

export const sessionsCommand: CommandGroup = {
  name: "sessions",
  summary: "list, read, search, copy and repair stored conversations",
  notes: [
    "Sessions that another program wrote are read in place and never changed. --source names the program; `sources` in config.json adds folders.",
  ],
  examples: [
    "dragoman sessions list",
    "dragoman sessions show 01KF0QJ2M8 --last 10",
    'dragoman sessions search "log file" --since 7d',
    "dragoman sessions list --home ~/.openclaw",
  ],
  subcommands: [
    action(listCommand, () => import("./list.js")),
    action(showCommand, () => import("./show.js")),
    action(searchCommand, () => import("./search.js")),
    action(forkCommand, () => import("./fork.js")),
    action(exportCommand, () => import("./export.js")),
    action(importCommand, () => import("./import.js")),
    action(compactCommand, () => import("./compact.js")),
    action(repairCommand, () => import("./repair.js")),
    action(archiveCommand, () => import("./archive.js")),
    action(statsCommand, () => import("./stats.js")),
  ],
};
