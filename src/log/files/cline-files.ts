import { join } from "node:path";
import { entriesOf } from "./folder.js";

const SUFFIX = ".messages.json";

/** Where Cline keeps sessions, below its home. */
const FOLDERS = [join("data", "sessions"), "sessions"];

interface ClineFile {
  /** The session's id; for a subagent's or teammate's file `<session>/<file>`. */
  id: string;
  path: string;
}

/**
 * The messages files of a Cline home:
 *
 *     data/sessions/<session>/<session>.messages.json
 *     data/sessions/<session>/<subagent>.messages.json
 */
export async function* clineFiles(home: string): AsyncGenerator<ClineFile> {
  for (const folder of FOLDERS.map((name) => join(home, name))) {
    for (const session of await entriesOf(folder)) {
      if (!session.isDirectory()) continue;
      for (const entry of await entriesOf(join(folder, session.name))) {
        const { name } = entry;
        // Reading a pipe would block forever, and a link leads out of the home.
        if (!entry.isFile() || !name.endsWith(SUFFIX)) continue;
        const stem = name.slice(0, -SUFFIX.length);
        const id = stem === session.name ? stem : `${session.name}/${stem}`;
        yield { id, path: join(folder, session.name, name) };
      }
    }
  }
}
