import { type TokenEntry, TokenStore } from "../gateway/auth/token-store.js";
import { isScope, scopes } from "../gateway/scope.js";
import { MAIN } from "../runtime/agents.js";
import { homeFolder, readConfig } from "../runtime/config.js";
import { parseArguments, usageError } from "./arguments.js";
import { shownText } from "./shown-text.js";
import { table } from "./table.js";
import { tell } from "./tell.js";

const options = {
  scope: { type: "string" },
  name: { type: "string" },
  expires: { type: "string" },
  agent: { type: "string", multiple: true },
  home: { type: "string" },
  json: { type: "boolean" },
} as const;

export async function run([action = "", ...args]: string[]): Promise<number> {
  const { values, file } = parseArguments("token", args, options);
  const home = homeFolder(process.env, values.home);
  const tokens = new TokenStore(home);
  if (file !== undefined && action !== "revoke") throw usageError("token", `"${file}" is too much`);
  switch (action) {
    case "create":
      return create(tokens, { ...values, home });
    case "list":
      return list(await tokens.list(), values.json === true);
    case "revoke": {
      if (file === undefined) throw usageError("token", "the ID of the token is missing");
      const { id, name } = await tokens.revoke(file);
      tell(`token ${id} (${name}) is not accepted any more`);
      return 0;
    }
    default:
      throw usageError("token", `say create, list or revoke, not "${action}"`);
  }
}

interface Wishes {
  scope?: string | undefined;
  name?: string | undefined;
  expires?: string | undefined;
  agent?: string[] | undefined;
  json?: boolean | undefined;
  home: string;
}

async function create(
  tokens: TokenStore,
  { scope = "chat", name = "unnamed", expires, agent, json, home }: Wishes,
): Promise<number> {
  if (!isScope(scope)) {
    throw usageError("token", `--scope is one of ${scopes.join(", ")}, not "${scope}"`);
  }
  if (!/^\P{C}{1,64}$/u.test(name)) throw usageError("token", "--name is a line of up to 64 characters");
  const { secret, entry } = await tokens.create(name, scope, {
    ...(expires === undefined ? {} : { expires: expiryOf(expires, Date.now()) }),
    ...(agent === undefined ? {} : { agents: await existing(agent, home) }),
  });
  if (json === true) process.stdout.write(`${JSON.stringify({ ...shown(entry), token: secret })}\n`);
  else {
    process.stdout.write(`${secret}\n`);
    tell(`token ${entry.id} (${described(entry)}); it is shown only this once`);
  }
  return 0;
}

/** `30d`: the time from now; `2027-01-31`: the beginning of that day, UTC. */
function expiryOf(text: string, now: number): number {
  const [, count, unit = ""] = /^([1-9]\d{0,4})([hdw])$/.exec(text) ?? [];
  const hours = { h: 1, d: 24, w: 7 * 24 }[unit];
  const time =
    hours === undefined
      ? Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : "")
      : now + Number(count) * hours * 3_600_000;
  if (time > now) return time;
  throw usageError(
    "token",
    `--expires is a time from now such as 12h, 30d or 4w, or a later date, not "${text}"`,
  );
}

/** A misspelt agent would make a token that opens nothing. */
async function existing(agents: readonly string[], home: string): Promise<string[]> {
  const { agents: configured = {} } = await readConfig(home, process.env);
  const known = [...new Set([MAIN, ...Object.keys(configured)])];
  const missing = agents.find((agent) => !known.includes(agent));
  if (missing === undefined) return [...new Set(agents)];
  throw usageError("token", `--agent is one of ${known.join(", ")}, not "${missing}"`);
}

function described({ name, scope, expires, agents }: TokenEntry): string {
  return [
    name,
    `scope ${scope}`,
    ...(agents === undefined ? [] : [`agents ${agents.join(", ")}`]),
    ...(expires === undefined ? [] : [`expires ${day(expires)}`]),
  ].join(", ");
}

function list(entries: readonly TokenEntry[], json: boolean): number {
  if (json) {
    process.stdout.write(`${JSON.stringify(entries.map(shown))}\n`);
    return 0;
  }
  const rows = entries.map(({ id, name, scope, created, lastUsed, expires, agents }) => [
    id,
    scope,
    day(created),
    lastUsed === undefined ? "never" : day(lastUsed),
    expires === undefined ? "never" : day(expires),
    agents?.join(",") ?? "all",
    name,
  ]);
  process.stdout.write(
    `${shownText(table([["ID", "SCOPE", "CREATED", "USED", "EXPIRES", "AGENTS", "NAME"], ...rows]).join("\n"))}\n`,
  );
  return 0;
}

/** Without the hash. */
function shown({ hash: _, ...known }: TokenEntry) {
  return known;
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
