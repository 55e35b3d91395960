import { setTimeout as sleep } from "node:timers/promises";
import { readsTwice, requireWrites } from "../convert/convert.js";
import { load } from "../convert/detect.js";
import { LossSummary } from "../convert/loss-summary.js";
import { replay } from "../convert/replay.js";
import { usageError } from "./arguments.js";
import type { replayCommand } from "./commands.js";
import type { Arguments } from "./declaration.js";
import { rereadable } from "./files/input.js";
import { openOutput } from "./files/output.js";
import { lossesLine, reportLosses } from "./reports/losses.js";
import { play } from "./terminal/pacing.js";
import { reportLine } from "./terminal/report-line.js";
import { openTranscript } from "./transcript.js";

export async function run({ values, words: [file] }: Arguments<typeof replayCommand>): Promise<number> {
  const speed = speedOf(values.speed);
  const to = await load(values.to);
  const { input, dialect: from, start } = await openTranscript(file, values.from, values.conversation);
  requireWrites(to, from);
  const source = readsTwice({ from, to }) ? await rereadable(input) : input;
  const output = await openOutput("-");
  const summary = new LossSummary();
  const beats = replay(source.open, { from, to, speed, start, onLoss: (loss) => summary.add(loss) });
  await play(beats, output.write, { now: () => performance.now(), sleep });
  reportLine(`replayed ${input.name} from ${from.name} to ${to.name}; ${lossesLine(summary)}`);
  reportLosses(summary, "`dragoman convert --losses FILE`", values["no-color"]);
  return 0;
}

/** `0` and `inf` mean without waiting. */
function speedOf(text: string): number {
  const speed = text === "inf" ? Number.POSITIVE_INFINITY : Number(text);
  if (text.trim() === "" || Number.isNaN(speed) || speed < 0) {
    throw usageError(`--speed must be a number such as 2 or 0.5, not "${text}"`);
  }
  return speed === 0 ? Number.POSITIVE_INFINITY : speed;
}
