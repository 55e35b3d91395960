import { openOutput } from "../files/output.js";
import { plainJson } from "./plain.js";

/** What a program reads: a bare line, or JSON where it was asked for. */
export async function writeResult(json: boolean | undefined, line: string, value: unknown): Promise<void> {
  const text = json === true ? plainJson(value) : line;
  if (text !== "") await (await openOutput("-")).write(`${text}\n`);
}
