import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { LossSummary } from "../../convert/loss-summary.js";
import { homeFolder } from "../../runtime/config.js";
import type { Stored } from "../../runtime/continue/destination.js";
import { destinations } from "../../runtime/continue/destinations.js";
import { type ChosenFolder, existingFolder, folderFor } from "../../runtime/continue/folder.js";
import { shellLine, shellWord } from "../../runtime/continue/shell-line.js";
import type { TranscriptSource } from "../../runtime/import-transcript.js";
import { usageError } from "../arguments.js";
import type { continueCommand } from "../commands.js";
import type { Arguments } from "../declaration.js";
import { rereadable } from "../files/input.js";
import { lossesLine, reportLosses } from "../reports/losses.js";
import { openSession } from "../sessions/open-session.js";
import { writeResult } from "../sessions/result.js";
import { reportLine } from "../terminal/report-line.js";
import { counted } from "../terminal/table.js";
import { launch } from "./launch.js";

export async function run({ values, words: [name] }: Arguments<typeof continueCommand>): Promise<number> {
  const { run: isRun = false, "dry-run": dryRun = false, json = false } = values;
  if (isRun && (dryRun || json))
    throw usageError(`--run cannot be used with ${dryRun ? "--dry-run" : "--json"}`);
  const { input, dialect } = await openSession(name, values);
  const source = { open: (await rereadable(input)).open, dialect, missing: input.missing };
  const destination = destinations[values.in];
  const current: ChosenFolder = { path: process.cwd(), from: "current" };
  const folder =
    destination.inAnyFolder === true ? current : await chooseFolder(source, values.cwd, current.path);
  if (isRun) requireChosen(folder);

  const summary = new LossSummary();
  const stored = await destination.store(source, {
    folder: folder.path,
    userHome: homedir(),
    home: homeFolder(process.env, values.home),
    env: process.env,
    now: new Date(),
    uuid: randomUUID(),
    dryRun,
    onLoss: (loss) => summary.add(loss),
  });
  const line = shellLine(folder.path === current.path ? undefined : folder.path, stored.commands);
  reportLine(
    `${dryRun ? "would convert" : "converted"} ${counted(stored.messages, "message")} from ${dialect.name} for ${destination.title}; ${lossesLine(summary)}`,
  );
  reportLosses(summary, "`dragoman convert --losses FILE`", values["no-color"]);
  reportPlace(stored, folder, dryRun);
  await writeResult(json, dryRun ? "" : line, {
    program: values.in,
    ...stored,
    folder: folder.path,
    command: line,
    from: dialect.name,
    losses: summary.counts,
    written: !dryRun,
  });
  return isRun ? launch(stored.commands, folder.path) : 0;
}

/** `--cwd`, or the folder that the session records, or the current one. */
async function chooseFolder(
  source: TranscriptSource,
  requested: string | undefined,
  current: string,
): Promise<ChosenFolder> {
  if (requested === undefined) return folderFor(source, current);
  const path = await existingFolder(requested);
  if (path === undefined) throw usageError(`--cwd must be an existing folder, not "${requested}"`);
  return { path, from: "option" };
}

/** A transcript may come from a stranger: it must not choose where a program with tools is started. */
function requireChosen({ path, from }: ChosenFolder): void {
  if (from !== "session") return;
  throw usageError(
    `the session belongs to ${path}: to start the program there, add --cwd ${shellWord(path)}`,
  );
}

function reportPlace({ path }: Stored, { path: folder, missing }: ChosenFolder, dryRun: boolean): void {
  if (missing !== undefined) {
    reportLine(
      `the session's folder ${missing} does not exist here; it continues in ${folder} (--cwd changes that)`,
    );
  }
  if (path !== undefined) reportLine(dryRun ? `would write ${path}` : `wrote ${path}`);
  reportLine(dryRun ? "nothing was written" : "continue with:");
}
