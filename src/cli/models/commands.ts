import { action, type CommandGroup, type Declaration } from "../declaration.js";
import { home, json, value } from "../options.js";

export const listCommand = {
  name: "models list",
  summary: "list the models with context window, longest answer, prices and key",
  words: [],
  options: {
    provider: value("P", "only models of this provider"),
    json: json("[{name, alias, models: [{name, on}], contextWindow, maxOutput, prices, released, key}]"),
    home,
  },
  notes: [
    "The list has the models of the configuration and the catalogue, and those that providers with a key and servers on this computer list themselves. Any other model of a provider can be used, too. `dragoman models` is short for it. Prices are in dollars per million tokens.",
  ],
  examples: [
    "dragoman models list",
    "dragoman models list --provider anthropic",
    "dragoman models list --json | jq -r '.[] | select(.key) | .name'",
  ],
} as const satisfies Declaration;

export const testCommand = {
  name: "models test",
  summary: "call a model once for each feature and report what works",
  words: ["MODEL"],
  options: {
    json: json('{model, checks: [{name, result: "works"|"fails"|"skipped", ms, detail}]}'),
    home,
  },
  notes: [
    "MODEL is provider/model or an alias. The calls are short, and cost what the provider charges for them. The exit code is 1 if a check fails; features that the catalogue says the model lacks are skipped.",
  ],
  examples: ["dragoman models test demo/script", "dragoman models test anthropic/claude-sonnet-5-5 --json"],
} as const satisfies Declaration;

export const modelsCommand: CommandGroup = {
  name: "models",
  summary: "list models, and test what one can do",
  listsByDefault: true,
  examples: ["dragoman models --provider openai", "dragoman models test demo/script"],
  subcommands: [
    action(listCommand, () => import("./list.js")),
    action(testCommand, () => import("./test.js")),
  ],
};
