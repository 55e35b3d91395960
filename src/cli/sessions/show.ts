import type { AgentMessage } from "../../core/types.js";
import { HOME_SOURCE, type SessionSummary } from "../../log/catalogue/types.js";
import type { Position, SessionLog } from "../../log/types.js";
import { usageError } from "../arguments.js";
import type { Arguments } from "../declaration.js";
import { type Output, openOutput } from "../files/output.js";
import { painter, wantsColour } from "../terminal/colour.js";
import { columnsOf } from "../terminal/columns.js";
import { reportLine } from "../terminal/report-line.js";
import { counted } from "../terminal/table.js";
import { atHome, type SessionsHere } from "./at-home.js";
import type { showCommand } from "./commands.js";
import { messagesOf, withSession } from "./contents.js";
import { findSession } from "./find.js";
import { isShown } from "./is-shown.js";
import { plainJson, plainLine } from "./plain.js";
import { MessagePrinter, type PrintOptions } from "./print-message.js";
import { money, tokens } from "./spending.js";

export async function run({ values, words: [name] }: Arguments<typeof showCommand>): Promise<number> {
  if (values.raw === true && values.json === true) {
    throw usageError("--raw and --json cannot be combined");
  }
  const { last } = values;
  await atHome(values.home, async (sessions) => {
    const session = await findSession(sessions, name, values.source);
    const all = values.raw === true || values.json === true;
    const wanted = all ? () => true : isShown;
    const messages =
      last === undefined ? messagesOf(sessions, session) : lastOf(sessions, session, last, wanted);
    const output = await openOutput("-");
    if (values.raw === true) {
      for await (const message of messages) await output.write(`${plainJson(message)}\n`);
    } else if (values.json === true) await writeJson(session, messages, output);
    else {
      await print(session, messages, output, {
        paint: painter(wantsColour(process.stdout, process.env, values["no-color"])),
        columns: columnsOf(process.stdout),
        thinking: values.thinking === true,
        ids: values.ids === true,
        losses: values.losses === true,
      });
    }
    if (session.problem !== undefined) reportLine(`cannot read all of it: ${plainLine(session.problem)}`);
  });
  return 0;
}

async function writeJson(
  session: SessionSummary,
  messages: AsyncIterable<AgentMessage>,
  output: Output,
): Promise<void> {
  await output.write(`{"session":${plainJson(session)},"messages":[`);
  let separator = "\n";
  for await (const message of messages) {
    await output.write(separator + plainJson(message));
    separator = ",\n";
  }
  await output.write("\n]}\n");
}

async function print(
  session: SessionSummary,
  messages: AsyncIterable<AgentMessage>,
  output: Output,
  options: PrintOptions,
): Promise<void> {
  const { paint } = options;
  const { id, title, source, agent, key, folder, counts, usage, unknownPrices, models, parent } = session;
  const said = counts.user + counts.assistant + counts.toolResult;
  const facts = [
    source === HOME_SOURCE ? `agent ${agent}` : source,
    ...(key === undefined ? [] : [key]),
    ...(folder === undefined ? [] : [folder]),
    ...models,
    ...(session.foreign && source === HOME_SOURCE ? ["written by another program"] : []),
    ...(session.archived ? ["archived"] : []),
    ...(parent === undefined ? [] : [`from ${parent.session}`]),
  ];
  const sums = [counted(said, "message"), tokens(usage), money(usage, unknownPrices)];
  const heading = [
    `${title === undefined ? "" : `${paint("bold", plainLine(title))}  `}${paint("cyan", plainLine(id))}`,
    paint("dim", facts.map((fact) => plainLine(fact)).join("  ")),
    paint("dim", sums.join("  ")),
  ];
  await output.write(`${heading.join("\n")}\n`);
  const printer = new MessagePrinter(options);
  for await (const message of messages) if (isShown(message)) await output.write(printer.print(message));
}

/** The last `count` wanted messages. Own sessions are read backwards, only as far as needed. */
async function* lastOf(
  sessions: SessionsHere,
  session: SessionSummary,
  count: number,
  wanted: (message: AgentMessage) => boolean,
): AsyncGenerator<AgentMessage> {
  if (!session.foreign) {
    yield* await withSession(sessions, session.id, (log) => lastWanted(log, count, wanted));
    return;
  }
  const kept: AgentMessage[] = [];
  for await (const message of messagesOf(sessions, session)) {
    if (!wanted(message)) continue;
    kept.push(message);
    if (kept.length > 2 * count) kept.splice(0, kept.length - count);
  }
  yield* kept.slice(-count);
}

async function lastWanted(
  log: SessionLog,
  count: number,
  wanted: (message: AgentMessage) => boolean,
): Promise<AgentMessage[]> {
  const kept: AgentMessage[] = [];
  let before: Position | undefined;
  while (kept.length < count && before !== 0) {
    const entries = await log.last(count, before === undefined ? {} : { before });
    kept.unshift(...entries.map(({ message }) => message).filter(wanted));
    before = entries[0]?.position ?? 0;
  }
  return kept.slice(-count);
}
