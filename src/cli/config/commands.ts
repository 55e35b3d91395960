import { action, type CommandGroup, type Declaration } from "../declaration.js";
import { flag, home, json } from "../options.js";

const paths =
  "PATH names a setting: `agents.main.model`, or `/models/openai~1gpt-6` as a JSON pointer, for names with dots.";

export const configGetCommand = {
  name: "config get",
  summary: "print a setting, or all of them, without secrets",
  words: ["[PATH]"],
  options: { json: json("the value, also if it is text"), home },
  notes: [`${paths} The exit code is 1 if the setting is not set.`],
  examples: ["dragoman config get", "dragoman config get gateway.port"],
} as const satisfies Declaration;

export const configSetCommand = {
  name: "config set",
  summary: "change a setting; comments and order stay as they are",
  words: ["PATH", "VALUE"],
  options: {
    text: flag("VALUE is text (default: JSON if it is JSON, otherwise text)"),
    json: json("{path, value}"),
    home,
  },
  notes: [
    `${paths} The file is not changed if a setting would be invalid. API keys are stored with \`dragoman keys set\`.`,
  ],
  examples: [
    "dragoman config set model demo/echo",
    "dragoman config set gateway.port 18801",
    `dragoman config set agents.main.tools '["read", "grep"]'`,
  ],
} as const satisfies Declaration;

export const configUnsetCommand = {
  name: "config unset",
  summary: "remove a setting, so that its default applies",
  words: ["PATH"],
  options: { json: json("{path, removed}"), home },
  notes: [paths],
  examples: ["dragoman config unset gateway.port"],
} as const satisfies Declaration;

export const configEditCommand = {
  name: "config edit",
  summary: "edit the configuration in your editor; it is checked before it is saved",
  words: [],
  options: { home },
  notes: [
    "The editor is $VISUAL, $EDITOR or vi. It gets a copy, which replaces the file if it is valid; otherwise you can edit it again.",
  ],
  examples: ["dragoman config edit", "EDITOR='code --wait' dragoman config edit"],
} as const satisfies Declaration;

export const configCheckCommand = {
  name: "config check",
  summary: "check the configuration, with line and column of each problem",
  words: [],
  options: { json: json("{file, problems: [{at, line, column, code, message, hint}]}"), home },
  notes: ["The exit code is 1 if there is a problem. The settings are those of schemas/Config.json."],
  examples: ["dragoman config check", "dragoman config check --json | jq .problems[].at"],
} as const satisfies Declaration;

export const configCommand: CommandGroup = {
  name: "config",
  summary: "read, change, edit and check the configuration",
  examples: ["dragoman config get", "dragoman config set model demo/echo", "dragoman config check"],
  subcommands: [
    action(configGetCommand, async () => ({ run: (await import("./values.js")).get })),
    action(configSetCommand, async () => ({ run: (await import("./values.js")).set })),
    action(configUnsetCommand, async () => ({ run: (await import("./values.js")).unset })),
    action(configEditCommand, () => import("./edit.js")),
    action(configCheckCommand, () => import("./check.js")),
  ],
};
