import { type FSWatcher, watch } from "node:fs";

/**
 * Calls back when a file, or something in a folder, changes. Some file systems (of networks, of containers) report nothing, and a
 * system may have no watches left: whoever uses this looks now and then in any case. It keeps no process alive. Returns how to stop.
 */
export function watchPath(path: string, onChange: (event: "change" | "rename", name: string | null) => void) {
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(path, { persistent: false }, onChange);
    watcher.on("error", () => watcher?.close());
  } catch {
    // The look now and then has to do.
  }
  return () => watcher?.close();
}
