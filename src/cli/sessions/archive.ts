import type { Arguments } from "../declaration.js";
import { reportLine } from "../terminal/report-line.js";
import { atHome } from "./at-home.js";
import type { archiveCommand } from "./commands.js";
import { withSession } from "./contents.js";
import { appendMeta } from "./describe.js";
import { findSession, refuseForeign } from "./find.js";
import { writeResult } from "./result.js";

export async function run({ values, words: [name] }: Arguments<typeof archiveCommand>): Promise<number> {
  await atHome(values.home, async (sessions) => {
    const found = await findSession(sessions, name);
    refuseForeign(found);
    const archived = values.undo !== true;
    if (found.archived !== archived) {
      await withSession(sessions, found.id, (session) => appendMeta(session, { archived }));
    }
    await writeResult(values.json, "", { session: found.id, archived });
    reportLine(
      archived
        ? `${found.id} is archived; \`dragoman sessions archive ${found.id} --undo\` undoes this`
        : `${found.id} is not archived`,
    );
  });
  return 0;
}
