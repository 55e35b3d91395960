import { parseArguments } from "../arguments.js";
import { tell } from "../tell.js";
import { atHome, homeOption } from "./at-home.js";
import { withSession } from "./contents.js";
import { describe } from "./describe.js";
import { findSession, refuseForeign } from "./find.js";
import { writeResult } from "./result.js";

const COMMAND = "sessions archive";

export async function run(args: string[]): Promise<number> {
  const { values, file: name } = parseArguments(
    COMMAND,
    args,
    { ...homeOption, undo: { type: "boolean" }, json: { type: "boolean" } },
    "session",
  );
  await atHome(values.home, async (sessions) => {
    const found = await findSession(sessions, COMMAND, name);
    refuseForeign(found);
    const archived = values.undo !== true;
    if (found.archived !== archived) {
      await withSession(sessions, found.id, (session) => describe(session, { archived }));
    }
    await writeResult(values.json, "", { session: found.id, archived });
    tell(
      archived
        ? `${found.id} is archived; \`dragoman sessions archive ${found.id} --undo\` takes it back`
        : `${found.id} is not archived`,
    );
  });
  return 0;
}
