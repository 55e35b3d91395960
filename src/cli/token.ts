import { defined } from "../core/json/defined.js";
import { type TokenEntry, TokenStore } from "../gateway/auth/token-store.js";
import { MAIN } from "../runtime/agents.js";
import { homeFolder, readConfig } from "../runtime/config.js";
import { usageError } from "./arguments.js";
import type { tokenCreateCommand, tokenListCommand, tokenRevokeCommand } from "./commands.js";
import type { Arguments } from "./declaration.js";
import { writeResult } from "./sessions/result.js";
import { reportLine } from "./terminal/report-line.js";
import { shownText } from "./terminal/shown-text.js";
import { table } from "./terminal/table.js";

export async function create({ values }: Arguments<typeof tokenCreateCommand>): Promise<number> {
  const { scope, name, expires, agent, json } = values;
  const home = homeFolder(process.env, values.home);
  if (!/^\P{C}{1,64}$/u.test(name)) throw usageError("--name must be one line of up to 64 characters");
  const limits = {
    expires: expires === undefined ? undefined : expiryOf(expires, Date.now()),
    agents: agent === undefined ? undefined : await requireAgents(agent, home),
  };
  const { secret, entry } = await new TokenStore(home).create(name, scope, defined(limits));
  await writeResult(json, secret, { ...withoutHash(entry), token: secret });
  if (json !== true) reportLine(`token ${entry.id} (${described(entry)}); shown only once`);
  return 0;
}

/** `30d`: from now; `2027-01-31`: the start of that day, UTC. */
function expiryOf(text: string, now: number): number {
  const [, count, unit = ""] = /^([1-9]\d{0,4})([hdw])$/.exec(text) ?? [];
  const hours = { h: 1, d: 24, w: 7 * 24 }[unit];
  const time =
    hours === undefined
      ? Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : "")
      : now + Number(count) * hours * 3_600_000;
  if (time > now) return time;
  throw usageError(
    `--expires must be a time from now such as 12h, 30d or 4w, or a future date, not "${text}"`,
  );
}

/** Refuses misspelt agents: their token would grant nothing. */
async function requireAgents(agents: readonly string[], home: string): Promise<string[]> {
  const { agents: configured = {} } = await readConfig(home, process.env);
  const known = [...new Set([MAIN, ...Object.keys(configured)])];
  const missing = agents.find((agent) => !known.includes(agent));
  if (missing === undefined) return [...new Set(agents)];
  throw usageError(`--agent must be one of ${known.join(", ")}, not "${missing}"`);
}

function described({ name, scope, expires, agents }: TokenEntry): string {
  return [
    name,
    `scope ${scope}`,
    ...(agents === undefined ? [] : [`agents ${agents.join(", ")}`]),
    ...(expires === undefined ? [] : [`expires ${day(expires)}`]),
  ].join(", ");
}

export async function revoke({
  values,
  words: [token],
}: Arguments<typeof tokenRevokeCommand>): Promise<number> {
  const { id, name } = await new TokenStore(homeFolder(process.env, values.home)).revoke(token);
  reportLine(`token ${id} (${name}) is revoked`);
  return 0;
}

export async function list({ values }: Arguments<typeof tokenListCommand>): Promise<number> {
  const entries = await new TokenStore(homeFolder(process.env, values.home)).list();
  const rows = entries.map(({ id, name, scope, created, lastUsed, expires, agents }) => [
    id,
    scope,
    day(created),
    lastUsed === undefined ? "never" : day(lastUsed),
    expires === undefined ? "never" : day(expires),
    agents?.join(",") ?? "all",
    name,
  ]);
  const lines = table([["ID", "SCOPE", "CREATED", "USED", "EXPIRES", "AGENTS", "NAME"], ...rows]);
  await writeResult(values.json, shownText(lines.join("\n")), entries.map(withoutHash));
  return 0;
}

function withoutHash({ hash: _, ...known }: TokenEntry) {
  return known;
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
