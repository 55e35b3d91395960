import { defined } from "../../core/json/defined.js";
import { fork } from "../../runtime/copy.js";
import { forkForeign } from "../../runtime/foreign.js";
import type { Arguments } from "../declaration.js";
import { reportLine } from "../terminal/report-line.js";
import { atHome } from "./at-home.js";
import type { forkCommand } from "./commands.js";
import { knownDialect, withSession } from "./contents.js";
import { metaNote } from "./describe.js";
import { findSession } from "./find.js";
import { plainLine } from "./plain.js";
import { writeResult } from "./result.js";

export async function run({ values, words: [name] }: Arguments<typeof forkCommand>): Promise<number> {
  await atHome(values.home, async (sessions) => {
    const source = await findSession(sessions, name);
    const { at, title } = values;
    // The copy inherits the notes of the original, but not that it is archived.
    const meta = defined({ title, archived: source.archived ? false : undefined });
    const options = defined({ last: at, after: Object.keys(meta).length === 0 ? [] : [metaNote(meta)] });
    const copy = source.foreign
      ? await forkForeign(sessions.log, { ...source, ...(await knownDialect(sessions, source)) }, options)
      : await withSession(sessions, source.id, (session) => fork(sessions.log, session, options));
    await copy.close();
    const { parent } = copy.header;
    await writeResult(values.json, copy.id, { session: copy.id, parent });
    const end = at === undefined ? "" : ` up to ${at}`;
    reportLine(`a copy of ${plainLine(source.id)}${end}; the original is unchanged`);
  });
  return 0;
}
