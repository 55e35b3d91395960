import { homeFolder } from "../../runtime/config.js";
import { openSessions, type Sessions } from "../../runtime/sessions.js";
import { changingLine } from "../terminal/progress.js";
import { reportLine } from "../terminal/report-line.js";
import { counted } from "../terminal/table.js";

/** Runs `work` with a home's sessions, after updating the index. */
export async function atHome<T>(
  asked: string | undefined,
  work: (sessions: Sessions) => Promise<T>,
): Promise<T> {
  const sessions = openSessions(homeFolder(process.env, asked), reportLine);
  const line = changingLine(process.stderr);
  try {
    await sessions.catalogue.update({
      onProgress: ({ changed }) => line.show(() => `${counted(changed, "session")} indexed`),
    });
    line.end();
    return await work(sessions);
  } finally {
    await sessions.catalogue.close();
  }
}
