import type { Framing, JsonRecord } from "../core/dialect.js";
import { writeJson } from "../core/json/write.js";
import { formatLine } from "../framing/ndjson.js";

/** Records to text. Lines are written as they come, a document at the end. */
export interface RecordWriter {
  push(records: readonly JsonRecord[]): string;
  finish(): string;
}

export function recordWriter(framing: Framing): RecordWriter {
  return framing.kind === "document" ? documentWriter(framing) : lineWriter;
}

const lineWriter: RecordWriter = {
  push: (records) => records.map(formatLine).join(""),
  finish: () => "",
};

function documentWriter({ join }: Extract<Framing, { kind: "document" }>): RecordWriter {
  const all: JsonRecord[] = [];
  return {
    push(records) {
      all.push(...records);
      return "";
    },
    finish: () => `${writeJson(join(all), 2)}\n`,
  };
}
