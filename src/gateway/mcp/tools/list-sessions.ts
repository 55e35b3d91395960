import * as Type from "@sinclair/typebox";
import { defined } from "../../../core/json/defined.js";
import type { Catalogue } from "../../../log/catalogue/types.js";
import type { ServedTool } from "../../../mcp/server/served-tool.js";
import type { ReadableSessions } from "../../../runtime/sources/readable-sessions.js";
import { indexOptions } from "./index-options.js";
import { FOREIGN_TEXT, SessionInfo, sessionInfo, sessionLine, sourceName } from "./session-fields.js";

const PAGE = 30;

const parameters = Type.Object({
  source: sourceName,
  agent: Type.Optional(Type.String({ description: "Only sessions of this Dragoman agent." })),
  archived: Type.Optional(
    Type.Boolean({ description: "Only archived sessions (default: only the others)." }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, description: `Sessions per page (default: ${PAGE}).` }),
  ),
  before: Type.Optional(
    Type.String({ description: "Only sessions after this one in the list: `next` of the previous page." }),
  ),
});

const result = Type.Object({ sessions: Type.Array(SessionInfo), next: Type.Optional(Type.String()) });

/** The sessions of all sources, newest first. */
export function listSessions(
  sessions: ReadableSessions,
  catalogue: Catalogue,
): ServedTool<typeof parameters> {
  return {
    name: "sessions_list",
    title: "List sessions",
    description: `Lists agent sessions on this computer, the most recently active first. ${FOREIGN_TEXT}`,
    parameters,
    result,
    readOnly: true,
    async execute({ source, agent, archived = false, limit = PAGE, before }, run) {
      const filter = await sessions.indexed(source, indexOptions(run));
      const found = await catalogue.list({
        ...filter,
        archived,
        limit: limit + 1,
        ...defined({ agent, before }),
      });
      const page = found.slice(0, limit);
      const next = found.length > limit ? page.at(-1)?.id : undefined;
      const lines = page.map(sessionLine);
      return {
        content: [
          ...(lines.length === 0 ? ["no sessions"] : lines),
          ...(next === undefined ? [] : [`more sessions: before ${next}`]),
        ].join("\n"),
        details: { sessions: page.map(sessionInfo), ...defined({ next }) },
      };
    },
  };
}
