import { defined } from "../core/json/defined.js";
import { type TokenEntry, TokenStore } from "../gateway/auth/token-store.js";
import { MAIN } from "../runtime/agents.js";
import { homeFolder, readConfig } from "../runtime/config.js";
import { cellsAt, linesAt } from "../runtime/store-address.js";
import { type Budget, budgetText, parseBudget } from "../runtime/usage/budget.js";
import { UsageLedger } from "../runtime/usage/ledger.js";
import { usageError } from "./arguments.js";
import type { Arguments } from "./declaration.js";
import { writeResult } from "./sessions/result.js";
import { money } from "./sessions/spending.js";
import { columnsOf } from "./terminal/columns.js";
import { reportLine } from "./terminal/report-line.js";
import { shownText } from "./terminal/shown-text.js";
import { listing } from "./terminal/table.js";
import type {
  tokenCreateCommand,
  tokenListCommand,
  tokenRevokeCommand,
  tokenSetCommand,
} from "./token-commands.js";

export async function create({ values }: Arguments<typeof tokenCreateCommand>): Promise<number> {
  const { scope, name, expires, agent, budget, rate, json } = values;
  const home = homeFolder(process.env, values.home);
  if (!/^\P{C}{1,64}$/u.test(name)) throw usageError("--name must be one line of up to 64 characters");
  const limits = {
    expires: expires === undefined ? undefined : expiryOf(expires, Date.now()),
    agents: agent === undefined ? undefined : await requireAgents(agent, home),
    budget: budget === undefined ? undefined : budgetIn(budget),
    requestsPerMinute: rate === undefined ? undefined : rateIn(rate),
  };
  const { secret, entry } = await new TokenStore(cellsAt(home)).create(name, scope, defined(limits));
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

function budgetIn(text: string): Budget {
  const budget = parseBudget(text);
  if (budget !== undefined) return budget;
  throw usageError(`--budget must be dollars per day or month, such as 5/day or 100/month, not "${text}"`);
}

function rateIn(text: string): number {
  const [, count] = /^([1-9]\d{0,6})\/minute$/.exec(text) ?? [];
  if (count !== undefined) return Number(count);
  throw usageError(`--rate must be requests per minute, such as 60/minute, not "${text}"`);
}

export async function set({ values, words: [token] }: Arguments<typeof tokenSetCommand>): Promise<number> {
  const { budget, rate } = values;
  if (budget === undefined && rate === undefined) throw usageError("pass --budget, --rate or both");
  const entry = await new TokenStore(cellsAt(homeFolder(process.env, values.home))).limit(token, {
    budget: budget === "none" ? null : budget === undefined ? undefined : budgetIn(budget),
    requestsPerMinute: rate === "none" ? null : rate === undefined ? undefined : rateIn(rate),
  });
  await writeResult(values.json, "", withoutHash(entry));
  if (values.json !== true) reportLine(`token ${entry.id} (${described(entry)})`);
  return 0;
}

/** Refuses misspelt agents: their token would grant nothing. */
async function requireAgents(agents: readonly string[], home: string): Promise<string[]> {
  const { agents: configured = {} } = await readConfig(home, process.env);
  const known = [...new Set([MAIN, ...Object.keys(configured)])];
  const missing = agents.find((agent) => !known.includes(agent));
  if (missing === undefined) return [...new Set(agents)];
  throw usageError(`--agent must be one of ${known.join(", ")}, not "${missing}"`);
}

function described({ name, scope, session, expires, agents, budget, requestsPerMinute }: TokenEntry): string {
  return [
    name,
    `scope ${scope}`,
    ...(session === undefined ? [] : [`session ${session}`]),
    ...(agents === undefined ? [] : [`agents ${agents.join(", ")}`]),
    ...(expires === undefined ? [] : [`expires ${day(expires)}`]),
    ...(budget === undefined ? [] : [`budget ${budgetText(budget)}`]),
    ...(requestsPerMinute === undefined ? [] : [`rate ${requestsPerMinute}/minute`]),
  ].join(", ");
}

export async function revoke({
  values,
  words: [token],
}: Arguments<typeof tokenRevokeCommand>): Promise<number> {
  const { id, name } = await new TokenStore(cellsAt(homeFolder(process.env, values.home))).revoke(token);
  await writeResult(values.json, "", { id, name, revoked: true });
  if (values.json !== true) reportLine(`token ${id} (${name}) is revoked`);
  return 0;
}

export async function list({ values }: Arguments<typeof tokenListCommand>): Promise<number> {
  const home = homeFolder(process.env, values.home);
  const tokens = new TokenStore(cellsAt(home));
  const ledger = new UsageLedger({
    store: await linesAt(home, reportLine),
    now: Date.now,
    onNote: reportLine,
  });
  ledger.setBudgets((id) => tokens.budgetOf(id));
  const known = [];
  for (const entry of await tokens.list()) {
    const { budget: _, ...others } = withoutHash(entry);
    known.push({ ...others, ...defined({ budget: await ledger.status(entry.id) }) });
  }
  const rows = known.map(
    ({ id, name, scope, created, lastUsed, expires, agents, session, budget, ...limits }) => [
      id,
      scope,
      session ?? "all",
      day(created),
      lastUsed === undefined ? "never" : day(lastUsed),
      expires === undefined ? "never" : day(expires),
      agents?.join(",") ?? "all",
      budget === undefined ? "none" : budgetText(budget),
      budget === undefined ? "-" : money({ cost: { total: budget.spent } }, false),
      limits.requestsPerMinute === undefined ? "default" : `${limits.requestsPerMinute}/minute`,
      name,
    ],
  );
  const usual = ["", "", "all", "", "", "", "all", "none", "-", "default", ""];
  const heads = [
    "ID",
    "SCOPE",
    "SESSION",
    "CREATED",
    "USED",
    "EXPIRES",
    "AGENTS",
    "BUDGET",
    "SPENT",
    "RATE",
    "NAME",
  ];
  await writeResult(values.json, shownText(listing(withoutUsual([heads, ...rows], usual)).join("\n")), known);
  return 0;
}

/** On a terminal, a column in which every token has the usual value is left out. */
function withoutUsual(
  rows: readonly (readonly string[])[],
  usual: readonly string[],
): readonly (readonly string[])[] {
  if (columnsOf(process.stdout) === undefined) return rows;
  const isShown = (_: string, column: number) => rows.slice(1).some((row) => row[column] !== usual[column]);
  return rows.map((row) => row.filter(isShown));
}

function withoutHash({ hash: _, ...known }: TokenEntry) {
  return known;
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
