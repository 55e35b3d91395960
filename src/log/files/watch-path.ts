import { type FSWatcher, watch } from "node:fs";

/**
 * Calls back when a file, or something in a folder, changes. Some network and container file systems report nothing, and a
 * system may run out of watches, so callers also poll. Does not keep the process alive. Returns a function that stops it.
 */
export function watchPath(path: string, onChange: (event: "change" | "rename", name: string | null) => void) {
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(path, { persistent: false }, onChange);
    watcher.on("error", () => watcher?.close());
  } catch {
    // The caller's polling must suffice.
  }
  return () => watcher?.close();
}
