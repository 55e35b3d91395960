import { convertStream, readsTwice, requireWrites, type StreamOptions } from "../convert/convert.js";
import { load } from "../convert/detect.js";
import { LossSummary } from "../convert/loss-summary.js";
import { usageError } from "./arguments.js";
import type { Values } from "./declaration.js";
import { type Input, rereadable } from "./files/input.js";
import { JsonArrayWriter } from "./files/json-array.js";
import { noOutput, openOutput, refuseSameFile } from "./files/output.js";
import type { transferOptions } from "./options.js";
import { lossesLine, reportLosses } from "./reports/losses.js";
import { writeResult } from "./sessions/result.js";
import { progress } from "./terminal/progress.js";
import { reportLine } from "./terminal/report-line.js";
import { counted } from "./terminal/table.js";
import { joinTranscript, type Transcript } from "./transcript.js";

export type TransferValues = Values<typeof transferOptions> & {
  leaf?: string | undefined;
  "dry-run"?: boolean | undefined;
  json?: boolean | undefined;
};

/** Converts a transcript, reports the losses and returns the exit code. */
export async function transfer(values: TransferValues, open: () => Promise<Transcript>): Promise<number> {
  const { output = "-", losses, "dry-run": isDry = false } = values;
  if (losses === "-" && output === "-" && !isDry) {
    throw usageError("the output and the losses cannot both go to standard output");
  }
  const to = await load(values.to);
  const { input, dialect: from, start } = await joinTranscript(await open());
  requireWrites(to, from, values.escrow);
  await refuseSameFile(output, input.path, "input");
  if (losses !== undefined) {
    await refuseSameFile(losses, input.path, "input");
    await refuseSameFile(losses, output, "output");
  }

  const summary = new LossSummary();
  const messages = await convertInput(input, isDry ? undefined : output, losses, summary, {
    from,
    to,
    escrow: values.escrow ?? false,
    start,
    ...(values.leaf === undefined ? {} : { leaf: values.leaf }),
  });

  if (values.json === true) {
    const { counts, total } = summary;
    const written = isDry ? {} : { output };
    const kinds = summary.kinds(Number.POSITIVE_INFINITY);
    await writeResult(true, "", {
      from: from.name,
      to: to.name,
      messages,
      losses: counts,
      total,
      kinds,
      ...written,
    });
    return values.strict === true && total > 0 ? 1 : 0;
  }
  const line = `${isDry ? "would convert" : "converted"} ${counted(messages, "message")} from ${from.name} to ${to.name}; ${lossesLine(summary)}`;
  const isComplete = losses === undefined || losses === "-" || summary.total === 0;
  reportLine(isComplete ? line : `${line} (see ${losses})`);
  if (losses === undefined) reportLosses(summary, "--losses FILE", values["no-color"]);
  if (values.strict !== true || summary.total === 0) return 0;
  const done = isDry ? "nothing was written" : "output written";
  reportLine(`${done}, but something was lost: exiting with code 1 because of --strict`);
  return 1;
}

/** Converts in constant memory. Returns the number of messages. Without `to`, no output is written. */
async function convertInput(
  input: Input,
  to: string | undefined,
  losses: string | undefined,
  summary: LossSummary,
  options: StreamOptions,
): Promise<number> {
  const source = readsTwice(options) ? await rereadable(input) : input;
  const output = to === undefined ? noOutput : await openOutput(to, input.path);
  const lossOutput = losses === undefined ? undefined : await openOutput(losses, input.path);
  const ledger = lossOutput === undefined ? undefined : new JsonArrayWriter(lossOutput);
  const onLoss: StreamOptions["onLoss"] = (loss) => {
    summary.add(loss);
    ledger?.add(loss);
  };
  const bar = progress(process.stderr, source.size);
  const onExit = () => {
    if (to !== undefined && to !== "-") reportLine("stopped; nothing was written");
  };
  process.once("exit", onExit);
  const pieces = convertStream(() => bar.through(source.open()), { ...options, onLoss });
  try {
    for (;;) {
      const { value, done } = await pieces.next();
      if (done === true) {
        for (const loss of input.missing?.() ?? []) onLoss(loss);
        await ledger?.end("\n");
        await output.commit();
        await lossOutput?.commit();
        return value;
      }
      await output.write(value);
      await ledger?.flush();
    }
  } finally {
    process.off("exit", onExit);
    bar.end();
  }
}
