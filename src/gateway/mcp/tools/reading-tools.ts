import type { Catalogue } from "../../../log/catalogue/types.js";
import type { ServedTool } from "../../../mcp/server/served-tool.js";
import type { ReadableSessions } from "../../../runtime/sources/readable-sessions.js";
import { checkTranscript } from "./check-transcript.js";
import { convertTranscript } from "./convert-transcript.js";
import { listSessions } from "./list-sessions.js";
import { readSession } from "./read-session.js";
import { searchSessions } from "./search-sessions.js";
import { FOREIGN_TEXT } from "./session-fields.js";

/** For the client's model. */
export const INSTRUCTIONS =
  "Search and read the sessions of AI agents on this computer: what was decided, done and said before. Begin with " +
  `sessions_search, then read around a match with sessions_read. ${FOREIGN_TEXT}`;

/** The tools that change nothing. */
export function readingTools(sessions: ReadableSessions, catalogue: Catalogue): ServedTool[] {
  return [
    searchSessions(sessions, catalogue),
    listSessions(sessions, catalogue),
    readSession(sessions),
    convertTranscript(sessions),
    checkTranscript(sessions),
  ];
}
