import * as Type from "@sinclair/typebox";
import { DragomanError } from "../../../core/error.js";
import { defined } from "../../../core/json/defined.js";
import type { Catalogue, Hit, SessionSummary } from "../../../log/catalogue/types.js";
import type { ServedTool } from "../../../mcp/server/served-tool.js";
import type { ReadableSessions } from "../../../runtime/sources/readable-sessions.js";
import { indexOptions } from "./index-options.js";
import { FOREIGN_TEXT, oneLine, sourceName, timeText } from "./session-fields.js";

const PAGE = 20;
/** The catalogue ranks the latest thousand matches. */
const MAX_HITS = 1000;

const parameters = Type.Object({
  query: Type.String({
    description:
      'Words that must all occur, "exact phrases", and -exclusions. The last word may be incomplete.',
  }),
  source: sourceName,
  role: Type.Optional(
    Type.Unsafe<"user" | "assistant" | "toolResult">({
      enum: ["user", "assistant", "toolResult"],
      description: "Only messages with this role (default: all).",
    }),
  ),
  since: Type.Optional(Type.String({ description: "Only messages from this ISO 8601 date or time on." })),
  until: Type.Optional(Type.String({ description: "Only messages up to this ISO 8601 date or time." })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: `Matches per page (default: ${PAGE}).` }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_HITS,
      description: "Matches to skip: `next` of the previous page.",
    }),
  ),
});

const result = Type.Object({
  hits: Type.Array(
    Type.Object({
      session: Type.String(),
      source: Type.String(),
      title: Type.Optional(Type.String()),
      folder: Type.Optional(Type.String()),
      position: Type.Number(),
      role: Type.String(),
      time: Type.Optional(Type.String()),
      snippet: Type.String(),
    }),
  ),
  ignored: Type.Array(Type.String()),
  next: Type.Optional(Type.Number()),
});

/** Full-text search over the sessions of all sources. */
export function searchSessions(
  sessions: ReadableSessions,
  catalogue: Catalogue,
): ServedTool<typeof parameters> {
  return {
    name: "sessions_search",
    title: "Search sessions",
    description:
      "Searches the text of agent sessions on this computer: Dragoman's own, and those of Claude Code, Codex, Gemini CLI and " +
      `other programs. Returns matching messages with their session and position, for sessions_read. ${FOREIGN_TEXT}`,
    parameters,
    result,
    readOnly: true,
    async execute({ query, source, role, since, until, limit = PAGE, offset = 0 }, run) {
      const filter = await sessions.indexed(source, indexOptions(run));
      const times = { since: timeIn("since", since, 0), until: timeIn("until", until, DAY - 1) };
      const wanted = offset + limit;
      const found = await catalogue.search(query, {
        ...filter,
        ...defined({ role, ...times }),
        limit: Math.min(wanted + 1, MAX_HITS),
      });
      const page = found.hits.slice(offset, wanted);
      const hits = await Promise.all(page.map((hit) => hitInfo(hit, catalogue)));
      const next = found.hits.length > wanted ? wanted : undefined;
      return {
        content: textOf(hits, found.ignored, next),
        details: { hits, ignored: found.ignored, ...defined({ next }) },
      };
    },
  };
}

const DAY = 24 * 3_600_000;

/** A date is its whole day: `until` includes it. */
function timeIn(name: string, text: string | undefined, rest: number): number | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return /^\d{4}-\d{2}-\d{2}$/.test(text) ? time + rest : time;
  throw new DragomanError("model/invalid", `"${name}" is ${JSON.stringify(text)}, which is not a date`, {
    hint: "use ISO 8601, such as 2026-01-15 or 2026-01-15T09:30:00Z",
  });
}

interface HitInfo
  extends Pick<Hit, "session" | "source" | "position" | "role">,
    Partial<Pick<SessionSummary, "title" | "folder">> {
  time?: string;
  snippet: string;
}

async function hitInfo(hit: Hit, catalogue: Catalogue): Promise<HitInfo> {
  const { session, source, position, role, timestamp, snippet } = hit;
  const { title, folder } = (await catalogue.get(session, { sources: [source] })) ?? {};
  return {
    session,
    source,
    ...defined({ title, folder, time: timeText(timestamp) }),
    position,
    role,
    snippet: snippet.map(({ text, match }) => (match ? `«${text}»` : text)).join(""),
  };
}

function textOf(hits: readonly HitInfo[], ignored: readonly string[], next: number | undefined): string {
  const lines = hits.map(
    ({ session, source, title = "untitled", position, role, time = "no time", snippet }) =>
      `${session} (${source}) "${oneLine(title)}"\n  position ${position}, ${role}, ${time}: ${oneLine(snippet)}`,
  );
  return [
    ...(lines.length === 0 ? ["no matches"] : lines),
    ...(ignored.length === 0 ? [] : [`ignored in the query: ${ignored.join(", ")}`]),
    ...(next === undefined ? [] : [`more matches: offset ${next}`]),
  ].join("\n");
}
