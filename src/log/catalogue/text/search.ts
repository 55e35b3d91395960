import type { Query } from "../query.js";
import type { Hit, SearchFilters } from "../types.js";
import { type Matched, matchIn } from "./match.js";
import { Ranking } from "./ranking.js";
import { ROLES } from "./segment-builder.js";
import type { Segment } from "./segment-file.js";

/** A hit whose session is its number. */
export interface TextHit extends Omit<Hit, "session" | "source" | "agent" | "snippet"> {
  session: number;
  text: string;
}

export interface TextSearch extends Pick<SearchFilters, "role" | "since" | "until"> {
  /** Whether the session with this number is searched. */
  isSearched(session: number): boolean;
  limit: number;
  /** So many of the latest matches are ranked. */
  ranked: number;
  /** Matches are counted up to this number. */
  counted: number;
}

interface Candidate {
  segment: Segment;
  message: number;
  /** How often each term occurs. */
  times: number[];
}

/** Searches segments, latest first, until there are enough matches. `segments` opens them, from the oldest to the latest. */
export function searchSegments(
  segments: readonly (() => Segment)[],
  query: Pick<Query, "wanted" | "excluded">,
  options: TextSearch,
): { hits: TextHit[]; total: number } {
  const opened: Segment[] = [];
  const ranking = new Ranking(query.wanted.length);
  const candidates: Candidate[] = [];
  const enough = Math.max(options.counted, options.ranked);
  let total = 0;
  try {
    for (const open of segments.toReversed()) {
      const segment = open();
      opened.push(segment);
      const matched = matchIn(segment, query);
      ranking.addSegment(
        segment,
        matched.times.map(({ size }) => size),
      );
      for (const message of allowed(segment, matched, options).toReversed()) {
        total += 1;
        if (candidates.length < options.ranked) {
          const times = matched.times.map((byMessage) => byMessage.get(message) ?? 0);
          candidates.push({ segment, message, times });
        }
      }
      if (total >= enough) break;
    }
    const scored = candidates.map((candidate) => ({ candidate, score: scoreOf(ranking, candidate) }));
    // Stable: of equal ones, the latest is first.
    scored.sort((one, other) => other.score - one.score);
    const hits = scored.slice(0, options.limit).map(({ candidate }) => hitOf(candidate));
    return { hits, total: Math.min(total, enough) };
  } finally {
    for (const segment of opened) segment.close();
  }
}

function allowed(segment: Segment, { messages }: Matched, options: TextSearch): number[] {
  if (messages.length === 0) return [];
  const { role, since, until, isSearched } = options;
  const sessions = segment.integers("sessions");
  const timestamps = since === undefined && until === undefined ? undefined : segment.numbers("timestamps");
  const roles = role === undefined ? undefined : segment.roles();
  return messages.filter((message) => {
    const time = timestamps?.[message] ?? 0;
    return (
      (roles === undefined || ROLES[roles[message] ?? 0] === role) &&
      (since === undefined || time >= since) &&
      (until === undefined || time <= until) &&
      isSearched(sessions[message] ?? 0)
    );
  });
}

function scoreOf(ranking: Ranking, { segment, message, times }: Candidate): number {
  const ends = segment.integers("tokenEnds");
  return ranking.score(times, (ends[message] ?? 0) - (ends[message - 1] ?? 0));
}

function hitOf({ segment, message }: Candidate): TextHit {
  const id = segment.stringOf("ids", message);
  return {
    session: segment.integers("sessions")[message] ?? 0,
    ...(id === undefined ? {} : { message: id }),
    position: segment.numbers("positions")[message] ?? 0,
    role: ROLES[segment.roles()[message] ?? 0] ?? "user",
    timestamp: segment.numbers("timestamps")[message] ?? 0,
    text: segment.stringOf("texts", message) ?? "",
  };
}
