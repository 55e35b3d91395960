import type { KeptValues } from "../../src/channels/types.js";
import { ValueFiles } from "../../src/log/files/value-files.js";
import { temporaryFolder } from "./temporary-folder.js";

/** What a channel keeps, in a folder, without a store. */
export function valuesIn(folder = temporaryFolder()): KeptValues {
  return new ValueFiles(folder, async () => undefined);
}
