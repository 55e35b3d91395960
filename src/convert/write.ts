import type { Framing, JsonRecord, RecordWriter } from "../core/dialect.js";
import { writeJson } from "../core/json/write.js";
import type { DocumentFraming } from "./read.js";

/** Records to text. Lines are written immediately, a document by `finish`. */
export function recordWriter(framing: Framing): RecordWriter {
  switch (framing.kind) {
    case "document":
      return documentWriter(framing);
    case "text":
      return framing.open();
    default:
      return lineWriter;
  }
}

const lineWriter: RecordWriter = {
  push(records) {
    const texts: string[] = [];
    // Appended to a line, the LF would make V8 copy the line before it is encoded.
    for (const record of records) texts.push(writeJson(record), "\n");
    return texts;
  },
  finish: () => [],
};

function documentWriter({ join }: DocumentFraming): RecordWriter {
  const all: JsonRecord[] = [];
  return {
    push(records) {
      for (const record of records) all.push(record);
      return [];
    },
    finish: () => [`${writeJson(join(all), 2)}\n`],
  };
}
