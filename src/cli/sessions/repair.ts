import { readFile } from "node:fs/promises";
import { check } from "../../convert/check.js";
import { load } from "../../convert/detect.js";
import { repair } from "../../convert/repair.js";
import type { SessionSummary } from "../../log/catalogue/types.js";
import type { SessionLog } from "../../log/types.js";
import { fillWith } from "../../runtime/copy.js";
import { asSource } from "../../runtime/foreign.js";
import type { Sessions } from "../../runtime/sessions.js";
import { transcriptMessages } from "../../runtime/transcript.js";
import type { Arguments } from "../declaration.js";
import { openOutput } from "../files/output.js";
import { changeLines, unplacedLines } from "../reports/changes.js";
import { problemLines } from "../reports/problems.js";
import { painter } from "../terminal/colour.js";
import { counted } from "../terminal/table.js";
import { tell } from "../terminal/tell.js";
import { atHome } from "./at-home.js";
import type { repairCommand } from "./commands.js";
import { withSession } from "./contents.js";
import { describe } from "./describe.js";
import { findSession, whileIdle } from "./find.js";
import { plain, plainJson } from "./plain.js";

export async function run({ values, words: [name] }: Arguments<typeof repairCommand>): Promise<number> {
  return atHome(values.home, async (sessions) => {
    const found = await findSession(sessions, name);
    const work = () => mend(sessions, found, values["dry-run"] === true);
    const mended = found.foreign ? await work() : await whileIdle(sessions, found.id, work);
    const { problems, changes, unplaced, copy } = mended;
    const output = await openOutput("-");
    if (values.json === true) {
      const session = copy === undefined ? {} : { repaired: copy };
      await output.write(`${plainJson({ session: found.id, problems, changes, unplaced, ...session })}\n`);
    } else {
      // Without colours, so that what is left of the text of strangers is known to be plain.
      const paint = painter(false);
      const lines = [
        ...problemLines(problems, found.id, paint),
        ...(values["dry-run"] === true
          ? changes.flatMap((change) => changeLines(change, found.id, paint))
          : []),
        ...unplacedLines(unplaced, undefined),
      ];
      for (const line of lines) tell(plain(line));
      if (copy !== undefined) await output.write(`${copy}\n`);
    }
    tell(plain(outcome(mended, found)));
    return 0;
  });
}

interface Mended extends Omit<Awaited<ReturnType<typeof repair>>, "output"> {
  problems: Awaited<ReturnType<typeof check>>["problems"];
  /** The session that has what could be mended. */
  copy?: string;
}

/** Nothing is mended in place: the file is what happened, and stays. */
async function mend(sessions: Sessions, found: SessionSummary, dry: boolean): Promise<Mended> {
  const bytes = await readFile(found.path);
  const from = found.foreign ? {} : { from: "openclaw" as const };
  const { problems } = await check(bytes, from);
  const { output, ...repaired } = await repair(bytes, from);
  const mended = { ...repaired, problems };
  if (dry || repaired.changes.length + repaired.unplaced.length === 0) return mended;
  const dialect = await load(repaired.from);
  const messages = transcriptMessages(async function* () {
    yield new TextEncoder().encode(output);
  }, dialect);
  const copy = await successor(sessions, found, found.foreign ? asSource(messages) : messages);
  await copy.close();
  if (!found.foreign) {
    await withSession(sessions, found.id, (session) => describe(session, { archived: true }));
  }
  return { ...mended, copy: copy.id };
}

/** It takes the key over, so that whoever writes to it next writes to the copy. */
async function successor(
  { log }: Sessions,
  { id, agent, key, title, foreign }: SessionSummary,
  messages: Parameters<typeof fillWith>[0],
): Promise<SessionLog> {
  const holder = key === undefined ? undefined : await log.find(key);
  const holds = holder === undefined ? foreign : holder === id;
  const names = { ...(holds && key !== undefined ? { key } : {}), ...(title === undefined ? {} : { title }) };
  return log.create({ agent, ...names, parent: { session: id } }, fillWith(messages));
}

function outcome({ changes, unplaced, problems, copy }: Mended, { id, foreign }: SessionSummary): string {
  const done = [
    ...(changes.length > 0 ? [counted(changes.length, "change")] : []),
    ...(unplaced.length > 0 ? [`${counted(unplaced.length, "line")} left out`] : []),
  ].join(" and ");
  if (copy !== undefined)
    return `${done}, in a copy; ${id} ${foreign ? "stays as it is" : "is archived as it was"}`;
  if (done !== "") return `${done}; nothing was written`;
  return problems.length === 0
    ? `nothing to repair in ${id}`
    : `nothing in ${id} has one right way to mend it`;
}
