import { mkdir, open as openFileHandle, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type ConversationText,
  readConversations,
  requireConversations,
  startOf,
} from "../convert/conversations.js";
import { convertStream, requireWrites } from "../convert/convert.js";
import { load } from "../convert/detect.js";
import { extensionOf } from "../convert/dialects.js";
import { LossSummary } from "../convert/loss-summary.js";
import type { Dialect } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import { isSystemError } from "../core/system-error.js";
import type { Loss } from "../core/types.js";
import { usageError } from "./arguments.js";
import { writeFailure } from "./files/file-errors.js";
import { JsonArrayWriter } from "./files/json-array.js";
import { openOutput, refuseSameFile } from "./files/output.js";
import { lossesLine, reportLosses } from "./reports/losses.js";
import { describeError } from "./terminal/errors.js";
import { progress } from "./terminal/progress.js";
import { reportLine } from "./terminal/report-line.js";
import { counted } from "./terminal/table.js";
import type { Transcript } from "./transcript.js";
import type { TransferValues } from "./transfer.js";

/** Converts each conversation of a file into a file of its own. An unreadable one is reported and skipped. */
export async function convertAll(
  values: TransferValues,
  { input, dialect: from }: Transcript,
): Promise<number> {
  const { output: folder, losses } = values;
  if (folder === undefined || folder === "-") throw usageError("--all needs a folder: -o FOLDER");
  requireConversations(from);
  const to = await load(values.to);
  requireWrites(to, from, values.escrow);
  if (losses !== undefined) await refuseSameFile(losses, input.path, "input");
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw writeFailure(folder, error);
  });

  const summary = new LossSummary();
  const lossOutput = losses === undefined ? undefined : await openOutput(losses, input.path);
  const ledger = lossOutput === undefined ? undefined : new JsonArrayWriter(lossOutput);
  const counts = { written: 0, failed: 0 };
  const bar = progress(process.stderr, input.size);
  const failures: string[] = [];
  try {
    for await (const conversation of readConversations(bar.through(input.open()), from)) {
      try {
        const lost: Loss[] = [];
        const onLoss = (loss: Loss) => lost.push(loss);
        const texts = await converted(conversation, { from, to, escrow: values.escrow ?? false, onLoss });
        await writeNew(folder, conversation, to, texts, input.path);
        counts.written++;
        for (const loss of lost) {
          summary.add(loss);
          ledger?.add(loss);
        }
      } catch (error) {
        if (!(error instanceof DragomanError) || error.code === "cli/not-writable") throw error;
        counts.failed++;
        failures.push(`conversation ${conversation.number}: ${describeError(error)}`);
      }
      await ledger?.flush();
    }
  } finally {
    bar.end();
  }
  await ledger?.end("\n");
  await lossOutput?.commit();
  for (const failure of failures) reportLine(failure);
  const written = counted(counts.written, "conversation");
  reportLine(`converted ${written} from ${from.name} to ${to.name} in ${folder}; ${lossesLine(summary)}`);
  if (losses === undefined) reportLosses(summary, "--losses FILE", values["no-color"]);
  if (counts.failed > 0) {
    reportLine(`${counted(counts.failed, "conversation")} could not be read`);
    return 2;
  }
  return values.strict === true && summary.total > 0 ? 1 : 0;
}

interface Conversion {
  from: Dialect;
  to: Dialect;
  escrow: boolean;
  onLoss: (loss: Loss) => void;
}

/** All of its output, so that a conversation that cannot be read leaves no file. */
async function converted(conversation: ConversationText, options: Conversion): Promise<Uint8Array[]> {
  const open = async function* () {
    yield conversation.bytes;
  };
  const pieces: Uint8Array[] = [];
  const start = startOf(conversation);
  for await (const piece of convertStream(open, { ...options, start })) pieces.push(piece);
  return pieces;
}

async function writeNew(
  folder: string,
  conversation: ConversationText,
  { framing }: Dialect,
  texts: readonly Uint8Array[],
  source: string | undefined,
): Promise<void> {
  const path = await reserve(folder, fileNameOf(conversation), extensionOf(framing));
  try {
    const output = await openOutput(path, source);
    for (const text of texts) await output.write(text);
    await output.commit();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Creates an empty file with a name that is free: `Title.json`, `Title 2.json` and so on. */
async function reserve(folder: string, name: string, ending: string): Promise<string> {
  for (let copy = 1; ; copy++) {
    const path = join(folder, `${name}${copy === 1 ? "" : ` ${copy}`}.${ending}`);
    try {
      await (await openFileHandle(path, "wx", 0o600)).close();
      return path;
    } catch (error) {
      if (!isSystemError(error) || error.code !== "EEXIST") throw writeFailure(path, error);
    }
  }
}

const LONGEST_NAME = 80;
/** Names of devices on Windows. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** The title without what file systems refuse; the id or the number if nothing is left. */
function fileNameOf({ title, id, number }: Pick<ConversationText, "title" | "id" | "number">): string {
  const [name = ""] = [title, id].map(safeName).filter((one) => one !== "");
  return name === "" || DEVICE.test(name) ? `conversation ${number}` : name;
}

function safeName(text = ""): string {
  const visible = text.normalize("NFC").replace(/[\p{C}\p{Z}<>:"/\\|?*]+/gu, " ");
  const characters = [...visible.trim()].slice(0, LONGEST_NAME);
  // Windows refuses names that end with a dot or a space.
  const isKept = (character: string) => character !== "." && character !== " ";
  return characters.slice(characters.findIndex(isKept), characters.findLastIndex(isKept) + 1).join("");
}
