import { action, type CommandGroup, type Declaration } from "./declaration.js";
import { home, json, value } from "./options.js";

export const tokenCreateCommand = {
  name: "token create",
  summary: "create a token and print it, once",
  words: [],
  options: {
    scope: {
      ...value("S", "what it may do; each includes the ones before it"),
      choices: ["read", "chat", "admin"],
      default: "chat",
    },
    name: { ...value("N", "label, shown in `token list`"), default: "unnamed" },
    expires: value("WHEN", "time from now (12h, 30d, 4w) or a date (2027-01-31) (default: never)"),
    agent: { ...value("A", "only this agent and its sessions; repeatable (default: all)"), multiple: true },
    budget: value("N/PERIOD", "dollars that its calls may cost: 5/day, 100/month (default: unlimited)"),
    rate: value("N/minute", "requests that it may send (default: gateway.limits.requestsPerMinute)"),
    home,
    json: json("{id, name, scope, created, expires?, agents?, budget?, requestsPerMinute?, token}"),
  },
  notes: ["Only a hash of the token is stored. A running gateway accepts it immediately."],
  examples: [
    "TOKEN=$(dragoman token create --scope read --name dashboard)",
    "dragoman token create --expires 30d --agent main --name colleague",
    "dragoman token create --budget 5/day --rate 60/minute --name ci",
  ],
} as const satisfies Declaration;

export const tokenListCommand = {
  name: "token list",
  summary: "list the tokens, without their secrets",
  words: [],
  options: {
    home,
    json: json(
      "[{id, name, scope, created, expires?, agents?, budget?: {dollars, per, spent, remaining, resets}, requestsPerMinute?}]",
    ),
  },
  examples: ["dragoman token list"],
} as const satisfies Declaration;

export const tokenSetCommand = {
  name: "token set",
  summary: "change the budget or the rate of a token",
  words: ["TOKEN"],
  options: {
    budget: value("N/PERIOD", "dollars that its calls may cost: 5/day, 100/month, or none"),
    rate: value("N/minute", "requests that it may send, or none for the gateway's limit"),
    home,
    json: json("{id, name, scope, created, expires?, agents?, budget?, requestsPerMinute?}"),
  },
  notes: [
    "TOKEN is a token's name, its id or a prefix of the id. A running gateway applies the change immediately; a WebSocket that is open keeps its rate.",
  ],
  examples: ["dragoman token set ci --budget 10/day", "dragoman token set 01JQ8Z --budget none --rate none"],
} as const satisfies Declaration;

export const tokenRevokeCommand = {
  name: "token revoke",
  summary: "revoke a token, immediately",
  words: ["ID"],
  options: { home, json: json("{id, name, revoked}") },
  notes: ["ID is a token's id or a prefix of it; `dragoman token list` lists them."],
  examples: ["dragoman token revoke 01JQ8Z"],
} as const satisfies Declaration;

export const tokenCommand: CommandGroup = {
  name: "token",
  summary: "create, list, limit and revoke gateway tokens",
  examples: ["dragoman token create --scope read --name dashboard", "dragoman token list"],
  subcommands: [
    action(tokenCreateCommand, async () => ({ run: (await import("./token.js")).create })),
    action(tokenListCommand, async () => ({ run: (await import("./token.js")).list })),
    action(tokenSetCommand, async () => ({ run: (await import("./token.js")).set })),
    action(tokenRevokeCommand, async () => ({ run: (await import("./token.js")).revoke })),
  ],
};
