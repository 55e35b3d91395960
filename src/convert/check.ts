import type { Dialect, Problem } from "../core/dialect.js";
import type { DragomanError } from "../core/error.js";
import { MessageDecoder } from "./decode.js";
import { placeOf, recordReader, type SourceRecord } from "./read.js";

export type Provider = "anthropic" | "openai-chat" | "openai-responses" | "google" | "ollama";

export const providers: readonly Provider[] = [
  "anthropic",
  "openai-chat",
  "openai-responses",
  "google",
  "ollama",
];

/** PLACEHOLDER until the real checker is merged: what cannot be read, and the dialect's own check. */
export async function checkStream(
  source: AsyncIterable<Uint8Array>,
  { from, onProblem }: { from: Dialect; for?: Provider; onProblem: (problem: Problem) => void },
): Promise<void> {
  const onBad = ({ at = "", line, column, code, message, hint }: DragomanError) =>
    onProblem({
      at,
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
      severity: "error",
    });
  const onUnit = (unit: readonly SourceRecord[]) => {
    for (const { at, severity = "warning", ...drift } of from.check?.(unit.map(({ value }) => value)) ?? []) {
      const [, index = "0"] = at.split("/");
      const record = unit[Number(index)];
      if (record !== undefined)
        onProblem({ ...placeOf(record, at.slice(1 + index.length)), ...drift, severity });
    }
  };
  const reader = recordReader(from.framing, { onBad });
  const decoder = new MessageDecoder(from, { onUnit, onBad });
  for await (const chunk of source) for (const record of reader.push(chunk)) decoder.push(record);
  for (const record of reader.finish()) decoder.push(record);
  decoder.finish();
}
