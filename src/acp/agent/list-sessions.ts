import type { DragomanClient } from "../../client/client.js";
import type { RpcSessionInfo } from "../../protocol/schema.js";
import type { AcpListSessions } from "../wire.js";

const PAGE = 100;
/** How many pages without a session in the wanted folder are read for one response. */
const MAX_PAGES = 20;

/** The sessions of all agents, latest first; with `cwd`, those that work in this folder. */
export async function listSessions(
  client: DragomanClient,
  { cwd, cursor }: AcpListSessions,
): Promise<object> {
  let before = cursor ?? undefined;
  const found: RpcSessionInfo[] = [];
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const from = before === undefined ? {} : { before };
    const { sessions, next } = await client.call("sessions.list", { archived: false, limit: PAGE, ...from });
    found.push(...sessions.filter((session) => isListed(session, cwd)));
    before = next;
    if (next === undefined || found.length > 0) break;
  }
  return {
    sessions: found.map(({ sessionKey: sessionId, workspace = "/", title, active }) => ({
      sessionId,
      cwd: workspace,
      ...(title === undefined ? {} : { title }),
      ...(active === undefined ? {} : { updatedAt: new Date(active).toISOString() }),
    })),
    ...(before === undefined ? {} : { nextCursor: before }),
  };
}

/** Sub-agents' sessions belong to the session that started them. A foreign session without a key cannot be continued. */
function isListed(session: RpcSessionInfo, cwd: string | null | undefined): boolean {
  const { workspace, parent, foreign, key } = session;
  if (parent?.toolCallId !== undefined || (foreign && key === undefined)) return false;
  return cwd === undefined || cwd === null || workspace === cwd;
}
