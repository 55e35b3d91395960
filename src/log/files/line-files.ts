import { join } from "node:path";
import type { Store } from "../store.js";
import { namesIn } from "./folder.js";
import { LineFile } from "./line-file.js";

const SUFFIX = ".jsonl";

/** The shared lines of a home, for processes that need nothing else of its store: `usage/2026-11` is `usage/2026-11.jsonl`. */
export function openLines(
  home: string,
  onNote: (text: string) => void = () => undefined,
): Pick<Store, "lines" | "lineNames"> {
  return {
    lines: (name) => new LineFile(`${join(home, ...name.split("/"))}${SUFFIX}`, onNote),
    lineNames: async (folder) => {
      const names = (await namesIn(join(home, ...folder.split("/")))).filter((name) => name.endsWith(SUFFIX));
      return names.map((name) => `${folder}/${name.slice(0, -SUFFIX.length)}`).sort();
    },
  };
}
