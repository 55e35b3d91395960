import { channelsCommand } from "./channels/commands.js";
import { sessionsCommand } from "./sessions/commands.js";

/** A command's code: takes what follows its name, returns the exit code. */
interface CommandModule {
  run(args: string[]): Promise<number>;
}

interface Described {
  name: string;
  usage: string;
  summary: string;
  /** Lines of the help text after the usage: options and examples. Those that name channels load them first. */
  details: string[] | (() => Promise<string[]>);
}

/** A command that does something. */
export interface Action extends Described {
  load(): Promise<CommandModule>;
}

/** A command with commands of its own. */
export interface CommandGroup extends Described {
  subcommands: Action[];
}

export type Command = Action | CommandGroup;

const from = "  --from DIALECT    what IN is; found out by looking at it unless given";
const provider =
  "  --for PROVIDER    also what anthropic, openai-chat, openai-responses, google or ollama would refuse";
const home =
  "  --home DIR        where sessions, tokens and the configuration are (default ~/.dragoman, or DRAGOMAN_HOME)";
const dash = "IN and OUT may be `-`: standard input and standard output.";

/** Every command, in the order the help lists them. */
export const commands: Command[] = [
  {
    name: "chat",
    usage:
      "chat [PROMPT…] [-p] [--json [--partial]] [--session ID|KEY | --continue] [--agent A] [--model P/M] [--thinking] [--home DIR]",
    summary: "talk with an agent, on a terminal or through a pipe",
    details: [
      "Options:",
      "  -p, --print       ask once and print the answer's text; so it is in a pipe anyway",
      "  --json            print each event of the run as a line of JSON instead",
      "  --partial         as --json, and add the message so far to each update",
      "  -s, --session ID  go on with a session: its id, the beginning of it, or its key",
      "  -c, --continue    go on with the agent's latest chat; otherwise a fresh session begins",
      "  --agent A         who answers, one of the configuration's agents (default main)",
      "  --model P/M       the model of this session from here on, such as anthropic/claude-sonnet-5-5",
      "  --thinking        show what the model thinks",
      "  --home DIR        where sessions and the configuration are (default ~/.dragoman, or DRAGOMAN_HOME)",
      "  --no-color        no colours, as with NO_COLOR=1",
      "",
      "PROMPT and what comes on standard input are one message. The exit code is 1 if there is no answer.",
      "In a pipe nobody can be asked, so that tools run only if the configuration's rules allow them.",
      "",
      "Examples:",
      "  dragoman chat",
      "  dragoman chat --continue",
      "  git diff | dragoman chat -p 'Write a commit message.' --model anthropic/claude-opus-5-5",
    ],
    load: () => import("./chat/chat.js"),
  },
  {
    name: "view",
    usage: "view FILE|SESSION [--from DIALECT] [--port N] [--no-open] [--html OUT] [--home DIR]",
    summary: "look at a transcript in the browser: branches, problems, losses, timeline, replay",
    details: [
      "Options:",
      "  --from DIALECT    what FILE is; found out by looking at it unless given",
      "  --html OUT        write one page with the transcript in it, which needs no server, and end",
      "  --port N          the port of this computer to serve it at (default any that is free)",
      "  --no-open         print the link only; the browser is opened when there is a terminal",
      "  --home DIR        where to look for SESSION (default ~/.dragoman, or DRAGOMAN_HOME)",
      "",
      "The link goes to standard output. It has a secret in it, works on this computer only, and until Ctrl-C.",
      "Nothing can be changed through it. FILE and OUT may be `-`: standard input and standard output.",
      "",
      "Examples:",
      "  dragoman view session.jsonl",
      "  dragoman view history.json --html history.html",
    ],
    load: () => import("./view/view.js"),
  },
  {
    name: "convert",
    usage:
      "convert [IN] --to DIALECT [--from DIALECT] [-o OUT] [--losses FILE] [--strict] [--escrow] [--leaf ID]",
    summary: "turn a transcript of one dialect into another, and say what was lost",
    details: [
      "Options:",
      "  --to DIALECT      what to write; `dragoman dialects` lists the names",
      from,
      "  -o, --output OUT  where to; OUT appears when all of it is written, or not at all",
      "  --losses FILE     write every loss to FILE, a JSON array of {at, what, why, severity}",
      "  --strict          end with exit code 1 if anything was lost; OUT is written all the same",
      "  --escrow          carry what the target cannot say in an extra field, so that the way back is exact",
      "  --leaf ID         of a transcript with branches take the one that ends in this message",
      "  --no-color        no colours, as with NO_COLOR=1",
      "",
      dash,
      "",
      "Examples:",
      "  dragoman convert session.jsonl --to cline -o history.json --losses losses.json",
      "  dragoman convert history.json --to openclaw --strict > session.jsonl",
      "  cat session.jsonl | dragoman convert --to pi --escrow | gzip > session.jsonl.gz",
    ],
    load: () => import("./convert.js"),
  },
  {
    name: "check",
    usage: "check IN [--from DIALECT] [--for PROVIDER] [--json]",
    summary: "find what is wrong in a transcript, with line, column and what to do",
    details: [
      "Options:",
      from,
      provider,
      "  --json            {dialect, problems: [{at, line, column, code, message, hint, severity}]}",
      "  --no-color        no colours, as with NO_COLOR=1",
      "",
      "The exit code is 1 if there is any problem, errors and warnings alike.",
      "",
      "Examples:",
      "  dragoman check session.jsonl",
      "  dragoman check session.jsonl --for anthropic",
      "  dragoman check session.jsonl --json | jq .problems[].code",
    ],
    load: () => import("./check.js"),
  },
  {
    name: "repair",
    usage: "repair IN [-o OUT] [--from DIALECT] [--for PROVIDER] [--dry-run]",
    summary: "mend what check finds and has one right fix; IN itself is never touched",
    details: [
      "Options:",
      "  -o, --output OUT  where to; what has no place in it goes to OUT.unplaced.jsonl",
      from,
      provider,
      "  --dry-run         show each change and write nothing",
      "  --no-color        no colours, as with NO_COLOR=1",
      "",
      dash,
      "",
      "Examples:",
      "  dragoman repair broken.jsonl --dry-run",
      "  dragoman repair broken.jsonl -o mended.jsonl --for openai-chat",
    ],
    load: () => import("./repair.js"),
  },
  {
    name: "detect",
    usage: "detect IN [--json]",
    summary: "tell which dialect a transcript is in",
    details: [
      "Options:",
      "  --json            [{dialect, confidence}], the likeliest first",
      "",
      "Examples:",
      "  dragoman detect session.jsonl",
      "  curl -s https://example.com/session.jsonl | dragoman detect - --json",
    ],
    load: () => import("./detect.js"),
  },
  {
    name: "replay",
    usage: "replay IN --to DIALECT [--from DIALECT] [--speed N]",
    summary: "write a transcript line by line, at the pace it happened",
    details: [
      "Options:",
      "  --to DIALECT      what to write; `dragoman dialects` says which stream",
      from,
      "  --speed N         N times as fast; 0 or inf does not wait (default 1)",
      "",
      "Each record is a line. A dialect that streams sends its records in frames, spread over the time",
      "until the next message. At speed 1 no pause is longer than 5 seconds.",
      "",
      "Examples:",
      "  dragoman replay session.jsonl --to timbal --speed 4",
      "  dragoman replay session.jsonl --to openclaw --speed inf | head -n 3",
    ],
    load: () => import("./replay.js"),
  },
  {
    name: "dialects",
    usage: "dialects [--json]",
    summary: "list the dialects",
    details: [
      "Options:",
      "  --json            [{name, title, kind, reads, writes, streams}]",
      "",
      "Examples:",
      "  dragoman dialects",
      "  dragoman dialects --json | jq -r .[].name",
    ],
    load: () => import("./dialects.js"),
  },
  sessionsCommand,
  {
    name: "tour",
    usage: "tour",
    summary: "see what works, on your own machine, without keys or services",
    details: [
      "Options:",
      "  --no-color        no colours, as with NO_COLOR=1",
      "",
      "Examples:",
      "  dragoman tour",
    ],
    load: () => import("./tour.js"),
  },
  {
    name: "serve",
    usage: "serve [--host H] [--port N] [--home DIR] [--model P/M] [--json]",
    summary: "start the gateway: agents for web pages, programs and the clients of model providers",
    details: [
      "Options:",
      "  --host H          the address to listen on (default 127.0.0.1: this computer only)",
      "  --port N          the port (default 18800; 0 takes any that is free)",
      home,
      "  --model P/M       the model of every agent that names none, such as anthropic/claude-opus-4-6",
      '  --json            the first line is {"event":"listening","url","token"} once it answers',
      "",
      "DRAGOMAN_HOST, DRAGOMAN_PORT and DRAGOMAN_MODEL say the same; so does config.json. The log goes to standard error.",
      "SIGTERM and SIGINT stop it when the runs under way have ended, or after five seconds; a second one stops it at once.",
      "",
      "Examples:",
      "  dragoman serve",
      "  dragoman serve --port 0 --json --model demo/echo",
    ],
    load: () => import("./serve.js"),
  },
  channelsCommand,
  {
    name: "token",
    usage:
      "token create [--scope S] [--name N] [--expires WHEN] [--agent A]… | list | revoke ID  [--home DIR] [--json]",
    summary: "make, list and revoke the tokens that the gateway accepts",
    details: [
      "Options:",
      "  --scope S         read: look; chat: also talk (default); admin: also change things",
      "  --name N          what it is for, to know it again in the list",
      "  --expires WHEN    a time from now (12h, 30d, 4w) or a date (2027-01-31); default: never",
      "  --agent A         only this agent and its sessions; may be repeated (default: all)",
      home,
      "  --json            create: {id, name, scope, created, expires?, agents?, token}; list: an array of the same without token",
      "",
      "A token is printed once, by create, to standard output; only a hash of it is stored. ID may be the beginning of one.",
      "A gateway that is running notices at once.",
      "",
      "Examples:",
      "  TOKEN=$(dragoman token create --scope read --name dashboard)",
      "  dragoman token create --expires 30d --agent main --name colleague",
      "  dragoman token list",
      "  dragoman token revoke 01JQ8Z",
    ],
    load: () => import("./token.js"),
  },
  {
    name: "doctor",
    usage: "doctor [--home DIR] [--json]",
    summary: "look for what is wrong with this installation, and say how to mend it",
    details: [
      "Options:",
      home,
      "  --json            {findings: [{subject, level: ok|warning|problem, message, fix}]}",
      "  --no-color        no colours, as with NO_COLOR=1",
      "",
      "The exit code is 1 if there is a problem. No key is printed or sent.",
      "",
      "Examples:",
      "  dragoman doctor",
      "  dragoman doctor --json | jq '.findings[] | select(.level != \"ok\")'",
    ],
    load: () => import("./doctor/doctor.js"),
  },
];
