import { access, constants } from "node:fs/promises";
import { writeFailure } from "../log/files/disk-error.js";
import { makeFolder } from "../log/files/folder.js";

/** Creates the folder if necessary. Throws if the gateway could not store messages in it. */
export async function requireWritable(home: string): Promise<void> {
  try {
    await makeFolder(home);
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw writeFailure(home, error);
  }
}

/** Gives no reason, because callers need no token; `dragoman doctor` reports it. */
export async function isReady(home: string): Promise<boolean> {
  return requireWritable(home).then(
    () => true,
    () => false,
  );
}
