import { readFile } from "node:fs/promises";
import { check } from "../../convert/check.js";
import { load } from "../../convert/detect.js";
import { repair } from "../../convert/repair.js";
import { defined } from "../../core/json/defined.js";
import { joinBytes } from "../../framing/bytes.js";
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
import { reportLine } from "../terminal/report-line.js";
import { counted } from "../terminal/table.js";
import { atHome, type SessionsHere } from "./at-home.js";
import type { repairCommand } from "./commands.js";
import { transcriptOf, withSession } from "./contents.js";
import { appendMeta } from "./describe.js";
import { findSession, whileIdle } from "./find.js";
import { plain, plainJson } from "./plain.js";

export async function run({ values, words: [name] }: Arguments<typeof repairCommand>): Promise<number> {
  return atHome(values.home, async (sessions) => {
    const found = await findSession(sessions, name);
    const work = () => repairInCopy(sessions, found, values["dry-run"] === true);
    const result = found.foreign ? await work() : await whileIdle(sessions, found.id, work);
    const { problems, changes, unplaced, copy } = result;
    const output = await openOutput("-");
    if (values.json === true) {
      await output.write(
        `${plainJson({ session: found.id, problems, changes, unplaced, repaired: copy })}\n`,
      );
    } else {
      // `plain` below would strip colours.
      const paint = painter(false);
      const lines = [
        ...problemLines(problems, found.id, paint),
        ...(values["dry-run"] === true
          ? changes.flatMap((change) => changeLines(change, found.id, paint))
          : []),
        ...unplacedLines(unplaced, undefined),
      ];
      for (const line of lines) reportLine(plain(line));
      if (copy !== undefined) await output.write(`${copy}\n`);
    }
    reportLine(plain(outcome(result, found)));
    return 0;
  });
}

interface RepairResult extends Omit<Awaited<ReturnType<typeof repair>>, "output"> {
  problems: Awaited<ReturnType<typeof check>>["problems"];
  /** The id of the repaired session. */
  copy?: string;
}

/** Repairs in a copy: session files are never rewritten. */
async function repairInCopy(
  sessions: SessionsHere,
  found: SessionSummary,
  dry: boolean,
): Promise<RepairResult> {
  const bytes = found.foreign ? await bytesOf(sessions, found) : await readFile(found.path);
  const from = found.foreign ? {} : { from: "openclaw" as const };
  const { problems } = await check(bytes, from);
  const { output, ...repaired } = await repair(bytes, from);
  const result = { ...repaired, problems };
  if (dry || repaired.changes.length + repaired.unplaced.length === 0) return result;
  const dialect = await load(repaired.from);
  const messages = transcriptMessages(async function* () {
    yield new TextEncoder().encode(output);
  }, dialect);
  const copy = await createSuccessor(sessions, found, found.foreign ? asSource(messages) : messages);
  await copy.close();
  if (!found.foreign) {
    await withSession(sessions, found.id, (session) => appendMeta(session, { archived: true }));
  }
  return { ...result, copy: copy.id };
}

/** A foreign session from all its files. */
async function bytesOf(sessions: SessionsHere, found: SessionSummary): Promise<Uint8Array> {
  const { input } = await transcriptOf(sessions, found);
  const chunks: Uint8Array[] = [];
  for await (const chunk of input.open()) chunks.push(chunk);
  return joinBytes(chunks);
}

/** The copy takes over the key, so that the next message goes to it. */
async function createSuccessor(
  { log }: Sessions,
  { id, agent, key, title, foreign }: SessionSummary,
  messages: Parameters<typeof fillWith>[0],
): Promise<SessionLog> {
  const holder = key === undefined ? undefined : await log.find(key);
  const holds = holder === undefined ? foreign : holder === id;
  const header = defined({ agent, key: holds ? key : undefined, title, parent: { session: id } });
  return log.create(header, fillWith(messages));
}

function outcome(
  { changes, unplaced, problems, copy }: RepairResult,
  { id, foreign }: SessionSummary,
): string {
  const done = [
    ...(changes.length > 0 ? [counted(changes.length, "change")] : []),
    ...(unplaced.length > 0 ? [`${counted(unplaced.length, "line")} left out`] : []),
  ].join(" and ");
  if (copy !== undefined)
    return `${done}, in a copy; ${id} ${foreign ? "is unchanged" : "is archived unchanged"}`;
  if (done !== "") return `${done}; nothing was written`;
  return problems.length === 0 ? `nothing to repair in ${id}` : `no problem in ${id} has an unambiguous fix`;
}
