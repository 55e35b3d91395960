import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChannelName } from "../../../channels/registry.js";
import { DragomanError } from "../../../core/error.js";
import { parseJson } from "../../../core/json/parse.js";
import { systemCode } from "../../../log/files/disk-error.js";
import { accountFolder } from "../people-store.js";
import { readOutboxRecord } from "../read-record.js";
import { OutboxState } from "./outbox-state.js";

/** Counts an account's unsent and failed requests from its file, without opening the account. */
export async function readOutboxCounts(
  home: string,
  channel: ChannelName,
  account: string,
): Promise<{ unsent: number; unknown: number; refused: number }> {
  const state = new OutboxState(Date.now);
  const text = await textOf(join(accountFolder(home, channel, account), "outbox.jsonl"));
  for (const line of text.split("\n")) {
    const record = recordIn(line);
    if (record !== undefined) state.apply(record);
  }
  return {
    unsent: state.count("unsent"),
    unknown: state.count("unknown"),
    refused: state.count("refused"),
  };
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return "";
    throw error;
  }
}

/** Undefined for an incomplete line. The gateway reports unreadable ones. */
function recordIn(line: string): ReturnType<typeof readOutboxRecord> {
  try {
    return line === "" ? undefined : readOutboxRecord(parseJson(line));
  } catch (error) {
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}
