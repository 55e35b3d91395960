import { describe, expect, test } from "vitest";
import { parseCommand } from "./arguments.js";
import { checkCommand, commands, replayCommand } from "./commands.js";
import { type Action, completed } from "./declaration.js";
import { helpText } from "./help.js";
import { searchCommand } from "./sessions/commands.js";

const actions: readonly Action[] = commands.flatMap((command) =>
  "subcommands" in command ? command.subcommands : command,
);
const pages = await Promise.all([
  helpText(commands),
  ...commands.map(({ name }) => helpText(commands, name)),
  ...actions.map(({ name }) => helpText(commands, ...name.split(" "))),
]);

test("the overview", async () => {
  expect((await helpText(commands)).split("\n").slice(0, 6)).toEqual([
    "Dragoman, the message layer for AI agents: lossless or loud, never silent.",
    "",
    "Usage: dragoman COMMAND [OPTIONS]",
    "",
    "  chat        talk to an agent, in the terminal or through a pipe",
    "  view        view a transcript in the browser, or follow it in the terminal",
  ]);
});

test("on a narrow terminal, descriptions are wrapped between words", async () => {
  expect((await helpText(commands, undefined, undefined, 40)).split("\n").slice(0, 9)).toEqual([
    "Dragoman, the message layer for AI",
    "agents: lossless or loud, never silent.",
    "",
    "Usage: dragoman COMMAND [OPTIONS]",
    "",
    "  chat        talk to an agent, in the",
    "              terminal or through a pipe",
    "  view        view a transcript in the",
    "              browser, or follow it in",
  ]);
});

test("a group lists its commands", async () => {
  expect(await helpText(commands, "token")).toBe(
    [
      "Usage: dragoman token COMMAND [OPTIONS]",
      "",
      "Create, list, limit and revoke gateway tokens.",
      "",
      "  create  create a token and print it, once",
      "  list    list the tokens, without their secrets",
      "  set     change the budget or the rate of a token",
      "  revoke  revoke a token, immediately",
      "",
      "`dragoman token COMMAND --help` explains one command.",
      "",
      "Examples:",
      "  dragoman token create --scope read --name dashboard",
      "  dragoman token list",
      "",
    ].join("\n"),
  );
});

test("a command lists its options, aligned and wrapped", async () => {
  expect(await helpText(commands, "replay")).toBe(
    [
      "Usage: dragoman replay IN --to DIALECT [OPTIONS]",
      "",
      "Write a transcript line by line, at the pace it happened.",
      "",
      "Options:",
      "      --to DIALECT      dialect to write; `dragoman dialects` lists them",
      "      --from DIALECT    dialect of the input (default: detected)",
      "      --conversation C  for files with several conversations: the one to use, by",
      "                        id, title or number",
      "      --speed N         N times as fast; 0 or inf does not wait (default: 1)",
      "      --no-color        disable colours (also: NO_COLOR=1)",
      "  -h, --help            show this help",
      "",
      "Each record is a line. A dialect that streams sends its records in frames,",
      "spread over the time until the next message. At speed 1 no pause is longer than",
      "5 seconds.",
      "",
      "Examples:",
      "  dragoman replay session.jsonl --to timbal --speed 4",
      "  dragoman replay session.jsonl --to openclaw --speed inf | head -n 3",
      "",
    ].join("\n"),
  );
});

test("what has to be loaded is in the help, too", async () => {
  expect(await helpText(commands, "channels", "test")).toContain(
    "\nACCOUNT is telegram, discord, whatsapp or webhook, or with a name of your own\n",
  );
});

test("no page is wider than 80 columns", () => {
  const wide = pages.flatMap((page) => page.split("\n")).filter((line) => line.length > 80);
  expect(wide).toEqual([]);
});

/** The arguments of `dragoman NAME` in a line of shell, up to the next command. */
function argumentsIn(line: string, name: string): string[] {
  const [, rest = ""] = new RegExp(`dragoman ${name}(?= |$|\\))(.*)`).exec(line) ?? [];
  const [own = ""] = rest.split(/ [|<>] |\)/);
  return [...own.matchAll(/'([^']*)'|"([^"]*)"|([^\s"']+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
}

describe("what the help shows can be typed", () => {
  test.each(actions.map((action) => [action.name, action] as const))("%s", async (name, declared) => {
    const action = await completed(declared);
    const own = action.examples.filter((line) => line.includes(`dragoman ${name}`));
    expect(own.length).toBeGreaterThan(0);
    for (const line of own) parseCommand(action, argumentsIn(line, name));
  });
});

test("values are what the declaration says", () => {
  const { values, words } = parseCommand(searchCommand, ["x", "--limit", "5", "--role", "user"]);
  expect({ ...values, words }).toEqual({ limit: 5, role: "user", words: ["x"] });
  expect(() => parseCommand(searchCommand, ["x", "--limit", "0"])).toThrow(
    '--limit must be a number such as 20, not "0"',
  );
  expect(parseCommand(replayCommand, ["x", "--to", "pi"]).values).toEqual({ to: "pi", speed: "1" });
});

describe("wrong usage", () => {
  test.each([
    [[], "missing argument IN"],
    [["a", "b"], 'unexpected argument "b"'],
    [["a", "--form", "pi"], "unknown option '--form' (did you mean --from?)"],
    [["a", "--quite-different"], "unknown option '--quite-different'"],
    [["a", "--from"], "option '--from <value>' argument missing"],
    [["a", "--json=yes"], "option '--json' does not take an argument"],
    [
      ["a", "--for", "eliza"],
      '--for must be one of anthropic, openai-chat, openai-responses, google, ollama, bedrock, not "eliza"',
    ],
  ])("%j", (args, message) => {
    expect(() => parseCommand(checkCommand, args)).toThrow(message);
  });
});
