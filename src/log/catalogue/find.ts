import { DragomanError } from "../../core/error.js";
import { defined } from "../../core/json/defined.js";
import { sumUsage } from "../../core/message/usage.js";
import { highlight, type SearchTerm } from "./highlight.js";
import { parseQuery } from "./query.js";
import type { Rows, SessionRow } from "./rows.js";
import { separated } from "./searchable.js";
import { snippetOf } from "./snippet.js";
import { spentIn, summaryOf } from "./state.js";
import type { OpenIndex } from "./store.js";
import { searchSegments, type TextHit } from "./text/search.js";
import { openSegment } from "./text/segments.js";
import {
  type AgentFilter,
  type Found,
  type Hit,
  HOME_SOURCE,
  type ListOptions,
  type PlaceFilter,
  type SearchFilters,
  type SessionSummary,
  type SourceFilter,
  type Spending,
  type SpendingFilter,
  type Stats,
} from "./types.js";

export const HITS = 20;
/** At most this many matches are ranked, so that a very common word stays fast. */
export const RANKED = 1000;
/** Matches beyond this are not counted, for the same reason. */
const COUNTED = 10_000;
const NAMED_IN_ERROR = 5;
export const FILE = ".jsonl";

type Condition = (row: SessionRow) => boolean;

/** A key is `agent:main:telegram:dm:42`, or `agent:main:telegram@work:dm:42` for an account that is not the default. */
function atPlace({ agent, channel, folder }: PlaceFilter): Condition {
  return (row) =>
    (agent === undefined || row.agent === agent) &&
    (channel === undefined ||
      row.key?.replaceAll("@", ":").startsWith(`agent:${row.agent}:${channel}:`) === true) &&
    (folder === undefined || row.folder === folder);
}

/** The home alone by default: only it may be shown to the gateway's clients. */
function inSources({ sources = [HOME_SOURCE] }: SourceFilter): Condition {
  if (sources === "all") return () => true;
  const names = new Set(sources);
  return ({ source }) => names.has(source);
}

function ofAgents({ agents, except }: AgentFilter): Condition {
  const names = agents === undefined ? undefined : new Set(agents);
  return ({ agent }) => (names === undefined || names.has(agent)) && agent !== except;
}

/** The sessions that these filters select. */
function selected(rows: Rows, filters: AgentFilter & PlaceFilter): Condition {
  const [fromSources, placed, permitted] = [inSources(filters), atPlace(filters), ofAgents(filters)];
  return (row) => fromSources(row) && placed(row) && permitted(row) && rows.isCurrent(row);
}

export function list(rows: Rows, options: ListOptions): SessionSummary[] {
  const { archived, since, until, parent, before, limit = Number.POSITIVE_INFINITY } = options;
  const isSelected = selected(rows, options);
  const all = rows.latest(options.sort ?? "active");
  const start = before === undefined ? 0 : all.findIndex(({ id }) => id === before) + 1;
  const found: SessionSummary[] = [];
  if (before !== undefined && start === 0) return found;
  for (let at = start; at < all.length && found.length < limit; at++) {
    const row = all[at];
    if (row === undefined || !isSelected(row)) continue;
    if (archived !== undefined && row.archived !== archived) continue;
    if ((since !== undefined && row.active < since) || (until !== undefined && row.active > until)) continue;
    if (parent === undefined || row.parent === parent) found.push(summaryOf(row));
  }
  return found;
}

export function get(rows: Rows, name: string, filter: SourceFilter): SessionSummary | undefined {
  const all = rows.latest("created").filter(inSources(filter));
  const withKey = all.filter(({ key }) => key === name);
  // A foreign session's id may be the key of ours that continues it; with the suffix it names the foreign file.
  const isFile = name.endsWith(FILE);
  const id = isFile ? name.slice(0, -FILE.length) : name;
  const withId = all.filter((row) => row.id === id && (row.foreign || !isFile));
  const exact =
    withKey.find(({ foreign }) => !foreign) ?? withKey[0] ?? withId.sort((one, other) => other.n - one.n)[0];
  if (exact !== undefined) return summaryOf(exact);
  if (name === "") return undefined;
  const beginning = all.filter((row) => row.id.startsWith(name) && rows.isCurrent(row));
  if (beginning.length > 1) throw ambiguous(name, beginning.map((row) => row.id).sort());
  const [only] = beginning;
  return only === undefined ? undefined : summaryOf(only);
}

export function ambiguous(name: string, all: readonly string[]): DragomanError {
  const ids = all.slice(0, NAMED_IN_ERROR);
  const more = all.length > ids.length ? ", …" : "";
  const message = `${all.length} sessions begin with ${name}: ${ids.join(", ")}${more}`;
  return new DragomanError("log/ambiguous", message, { hint: "give more of the id" });
}

export function search({ rows, texts }: OpenIndex, query: string, filters: SearchFilters): Found {
  const { match, wanted, excluded, ignored } = parseQuery(query);
  if (match === undefined) return { hits: [], total: 0, ignored };
  const { key, role, since, until, limit = HITS } = filters;
  const isSelected = selected(rows, filters);
  const { hits, total } = searchSegments(
    rows.orderedSegments().map((row) => () => openSegment(texts, row)),
    { wanted, excluded },
    {
      ...defined({ role, since, until }),
      isSearched(number) {
        const row = rows.sessions.get(number);
        return row !== undefined && isSelected(row) && (key === undefined || row.key === key);
      },
      limit,
      ranked: Math.max(RANKED, limit),
      counted: COUNTED,
    },
  );
  const more = total >= Math.max(COUNTED, limit) ? { more: true as const } : {};
  return { hits: hits.flatMap((hit) => hitOf(rows, hit, wanted)), total, ...more, ignored };
}

function hitOf(rows: Rows, { session, text, ...hit }: TextHit, wanted: readonly SearchTerm[]): Hit[] {
  const row = rows.sessions.get(session);
  if (row === undefined) return [];
  const { id, source, agent } = row;
  const snippet = snippetOf(highlight(separated(text), wanted));
  return [{ session: id, source, agent, ...hit, snippet }];
}

export function statsOf(all: readonly SessionSummary[]): Stats {
  const sum = (value: (session: SessionSummary) => number) =>
    all.reduce((total, session) => total + value(session), 0);
  return {
    sessions: all.length,
    archived: sum(({ archived }) => Number(archived)),
    counts: {
      user: sum(({ counts }) => counts.user),
      assistant: sum(({ counts }) => counts.assistant),
      toolResult: sum(({ counts }) => counts.toolResult),
      lines: sum(({ counts }) => counts.lines),
      bad: sum(({ counts }) => counts.bad),
    },
    usage: sumUsage(all.map(({ usage }) => usage)),
    unknownPrices: all.some(({ unknownPrices }) => unknownPrices),
  };
}

export function spending(rows: Rows, { session, ...filter }: SpendingFilter): Spending[] {
  const fromSources = inSources(filter);
  const all = [...rows.sessions.values()].filter(
    (row) => fromSources(row) && (session === undefined || row.id === session) && rows.isCurrent(row),
  );
  return all.sort((one, other) => one.n - other.n).flatMap(spendingIn);
}

function spendingIn(row: SessionRow): Spending[] {
  const { id, source, folder } = row;
  const parts = spentIn(row).sort((one, other) =>
    `${one.day} ${one.model}` < `${other.day} ${other.model}` ? -1 : 1,
  );
  return parts.map(({ day, ...part }) => ({
    session: id,
    source,
    ...defined({ folder, day: day === "" ? undefined : day }),
    ...part,
  }));
}
