import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * A folder of the recordings that are not part of this repository, or undefined, said once on the terminal, when they
 * are not here.
 */
export function corpus(folder: string): string | undefined {
  const root = process.env["DRAGOMAN_CORPUS"];
  const path = root === undefined ? undefined : join(root, folder);
  if (path !== undefined && existsSync(path)) return path;
  process.stderr.write(
    `skipped: the recordings in ${folder}; set DRAGOMAN_CORPUS to the folder that has them\n`,
  );
  return undefined;
}
