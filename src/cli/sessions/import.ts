import { LossSummary } from "../../convert/loss-summary.js";
import type { Loss } from "../../core/types.js";
import { agentOf, canonicalKey } from "../../log/key.js";
import { MAIN } from "../../runtime/agents.js";
import { importTranscript, readThrough } from "../../runtime/import-transcript.js";
import type { Arguments } from "../declaration.js";
import { rereadable } from "../files/input.js";
import { lossesLine, reportLosses } from "../reports/losses.js";
import { reportLine } from "../terminal/report-line.js";
import { counted } from "../terminal/table.js";
import { joinTranscript, openTranscript } from "../transcript.js";
import { atHome } from "./at-home.js";
import type { importCommand } from "./commands.js";
import { writeResult } from "./result.js";

export async function run({ values, words: [file] }: Arguments<typeof importCommand>): Promise<number> {
  const key = values.key === undefined ? {} : { key: canonicalKey(values.key) };
  const agent = values.agent ?? (key.key === undefined ? MAIN : agentOf(key.key));
  const leaf = values.leaf === undefined ? {} : { leaf: values.leaf };
  const title = values.title === undefined ? {} : { title: values.title };
  const opened = await openTranscript(file, values.from, values.conversation);
  const { input, dialect } = await joinTranscript(opened);
  const source = { open: (await rereadable(input)).open, dialect, missing: input.missing };
  const summary = new LossSummary();
  const { start } = opened;
  const readable = await readThrough(source, { ...leaf, start, onLoss: (loss: Loss) => summary.add(loss) });
  const { messages } = readable;

  await atHome(values.home, async ({ log }) => {
    const before = key.key === undefined ? undefined : await log.find(key.key);
    const session = await importTranscript(log, source, { agent, ...key, ...title }, readable, leaf);
    await session.close();
    const from = dialect.name;
    const { counts: losses } = summary;
    await writeResult(values.json, session.id, { session: session.id, from, messages, losses });
    reportLine(`imported ${counted(messages, "message")} from ${from}; ${lossesLine(summary)}`);
    reportLosses(summary, "`dragoman convert --losses FILE`", values["no-color"]);
    if (before !== undefined) reportLine(`${key.key} pointed to ${before}, which is still available by id`);
  });
  return 0;
}
