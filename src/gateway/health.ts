import { access, constants } from "node:fs/promises";
import { makeFolder } from "../log/folder.js";

/** Whether what is sent could be stored. */
export async function isReady(home: string): Promise<boolean> {
  try {
    await makeFolder(home);
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    // Why is nobody's business who needs no token to ask; `dragoman doctor` tells.
    return false;
  }
}
