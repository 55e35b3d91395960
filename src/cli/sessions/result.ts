import { openOutput } from "../files/output.js";
import { plainJson } from "./plain.js";

/** Writes machine-readable output: a bare line, or JSON with `--json`. */
export async function writeResult(json: boolean | undefined, line: string, value: unknown): Promise<void> {
  const text = json === true ? plainJson(value) : line;
  if (text !== "") await (await openOutput("-")).write(`${text}\n`);
}
