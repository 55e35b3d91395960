import { action, type CommandGroup, type Declaration } from "../declaration.js";
import { flag, home, json } from "../options.js";

export const keysSetCommand = {
  name: "keys set",
  summary: "store a provider's API key",
  words: ["PROVIDER"],
  options: {
    stdin: flag("read the key from standard input (implied when piped)"),
    json: json("{provider, source, file}"),
    home,
  },
  notes: [
    "The key is asked for without echo and stored in config.json, which only you can read. It is never printed, and it takes precedence over the provider's environment variables.",
  ],
  examples: ["dragoman keys set anthropic", "pass show openai | dragoman keys set openai"],
} as const satisfies Declaration;

export const keysListCommand = {
  name: "keys list",
  summary: "list the providers that have a key, and where it comes from",
  words: [],
  options: { json: json("[{provider, source: config|environment, variable}]"), home },
  notes: ["Keys are never printed. `dragoman models test MODEL` tests one with a short call."],
  examples: ["dragoman keys list", "dragoman keys list --json | jq -r .[].provider"],
} as const satisfies Declaration;

export const keysRemoveCommand = {
  name: "keys remove",
  summary: "remove a provider's stored API key",
  words: ["PROVIDER"],
  options: { json: json("{provider, removed}"), home },
  examples: ["dragoman keys remove anthropic"],
} as const satisfies Declaration;

export const keysCommand: CommandGroup = {
  name: "keys",
  summary: "store, list and remove providers' API keys",
  listsByDefault: true,
  examples: ["dragoman keys set anthropic", "dragoman keys list"],
  subcommands: [
    action(keysSetCommand, async () => ({ run: (await import("./keys.js")).set })),
    action(keysListCommand, async () => ({ run: (await import("./keys.js")).list })),
    action(keysRemoveCommand, async () => ({ run: (await import("./keys.js")).remove })),
  ],
};
