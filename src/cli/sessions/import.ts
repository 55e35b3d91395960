import type { Loss, SessionMessage } from "../../core/types.js";
import { agentOf, canonicalKey } from "../../log/key.js";
import { MAIN } from "../../runtime/agents.js";
import { fillWith } from "../../runtime/copy.js";
import { asSource } from "../../runtime/foreign.js";
import { FirstLosses } from "../../runtime/losses.js";
import { type TranscriptOptions, transcriptMessages } from "../../runtime/transcript.js";
import type { Arguments } from "../declaration.js";
import { rereadable } from "../files/input.js";
import { LossSummary, reportLosses } from "../reports/losses.js";
import { reportLine } from "../terminal/report-line.js";
import { counted } from "../terminal/table.js";
import { joinTranscript, openTranscript, type Transcript } from "../transcript.js";
import { atHome } from "./at-home.js";
import type { importCommand } from "./commands.js";
import { writeResult } from "./result.js";

export async function run({ values, words: [file] }: Arguments<typeof importCommand>): Promise<number> {
  const key = values.key === undefined ? {} : { key: canonicalKey(values.key) };
  const agent = values.agent ?? (key.key === undefined ? MAIN : agentOf(key.key));
  const leaf = values.leaf === undefined ? {} : { leaf: values.leaf };
  const opened = await joinTranscript(await openTranscript(file, values.from, values.conversation));
  const transcript = { ...opened, input: await rereadable(opened.input) };
  const summary = new LossSummary();
  const first = new FirstLosses("import", transcript.dialect.name);
  const onLoss = (loss: Loss) => {
    summary.add(loss);
    first.add(loss);
  };
  const { start } = transcript;
  const { messages, header } = await readThrough(transcript, { ...leaf, start, onLoss });
  for (const loss of transcript.input.missing?.() ?? []) onLoss(loss);
  const title = values.title ?? header?.title;

  await atHome(values.home, async ({ log }) => {
    const before = key.key === undefined ? undefined : await log.find(key.key);
    const imported = asSource(transcriptMessages(transcript.input.open, transcript.dialect, leaf));
    const session = await log.create(
      { agent, ...key, ...(title === undefined ? {} : { title }) },
      fillWith(imported, first.note(Date.now())),
    );
    await session.close();
    const from = transcript.dialect.name;
    const { counts: losses } = summary;
    await writeResult(values.json, session.id, { session: session.id, from, messages, losses });
    reportLine(`imported ${counted(messages, "message")} from ${from}; ${summary.line()}`);
    reportLosses(summary, "`dragoman convert --losses FILE`", values["no-color"]);
    if (before !== undefined) reportLine(`${key.key} pointed to ${before}, which is still available by id`);
  });
  return 0;
}

/** Reads everything before anything is stored, so that an unreadable file leaves no partial session. */
async function readThrough(
  { input, dialect }: Transcript,
  options: TranscriptOptions,
): Promise<{ messages: number; header: SessionMessage | undefined }> {
  let messages = 0;
  let header: SessionMessage | undefined;
  const read = async function* () {
    for await (const message of transcriptMessages(input.open, dialect, options)) {
      if (message.role === "session") header ??= message;
      else messages++;
      yield message;
    }
  };
  for await (const _ of asSource(read(), options.onLoss));
  return { messages, header };
}
