import type { Provider } from "../../src/convert/check.js";
import { repair } from "../../src/convert/repair.js";

export const user = '{"role":"user","content":"hi","timestamp":5}';
export const call = (id: string, name = "read") =>
  `{"type":"toolCall","id":"${id}","name":"${name}","arguments":{}}`;
export const says = (...blocks: string[]) =>
  `{"role":"assistant","content":[${blocks.join(",")}],"timestamp":7}`;
export const result = (id: string, text = "ok", name = "read") =>
  `{"role":"toolResult","toolCallId":"${id}","toolName":"${name}","content":[{"type":"text","text":"${text}"}],"isError":false,"timestamp":9}`;
export const closing = (id: string) =>
  `{"role":"toolResult","toolCallId":"${id}","toolName":"read","content":[{"type":"text","text":"no result was recorded for this call"}],"isError":true,"timestamp":7}`;

export async function repaired(lines: string[], provider?: Provider) {
  const options = provider === undefined ? {} : { for: provider };
  const { output, changes, unplaced, notes } = await repair(lines.join("\n"), {
    from: "openclaw",
    ...options,
  });
  return {
    lines: output.split("\n").filter((line) => line !== ""),
    changes: changes.map(({ at, code }) => `${at} ${code}`),
    unplaced,
    notes: notes.map(({ code }) => code),
  };
}
