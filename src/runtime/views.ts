import { lstat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { convert } from "../convert/convert.js";
import { DragomanError } from "../core/error.js";
import { noteOf } from "../core/message/notes.js";
import type { AgentMessage, Loss, SessionMessage } from "../core/types.js";
import { formatLine } from "../framing/ndjson.js";
import { fallbackIfMissing } from "../log/files/disk-error.js";
import { makeFolder } from "../log/files/folder.js";
import { sessionFileName } from "../log/files/key-file.js";
import { writeWhole } from "../log/files/whole-file.js";
import { MAIN } from "./agents.js";
import type { Config } from "./schema.js";

type ViewName = NonNullable<Config["views"]>[number];

interface View {
  /** The path of a session's file below the program's home. */
  path(header: SessionMessage, id: string): string;
  /** Whether its files have a header. */
  header: boolean;
}

const views: Record<ViewName, View> = {
  cline: { path: (_, id) => join("data", "sessions", id, `${id}.messages.json`), header: true },
  "openclaw-turns": {
    path: ({ agent = MAIN, key }, id) =>
      join("agents", agent, "sessions", `${key === undefined ? id : sessionFileName(key)}.jsonl`),
    header: false,
  },
};

/**
 * The path of a session's view. Each dialect has a folder that is laid out like its program's home, separate from our own
 * sessions, so that the program can use it as its home.
 */
export function viewPath(home: string, dialect: ViewName, header: SessionMessage, id: string): string {
  return join(home, "views", dialect, views[dialect].path(header, id));
}

/** A session in another program's format, in a file that is rewritten whenever the session has grown. */
export class SessionView {
  readonly #dialect: ViewName;
  readonly #path: string;
  readonly #home: string;
  /** The number of lines when the file was last written. */
  #lines = 0;

  /** @param home no folder between it and the file may be a symbolic link */
  constructor(dialect: ViewName, path: string, home = dirname(path)) {
    this.#dialect = dialect;
    this.#path = path;
    this.#home = home;
  }

  /**
   * Writes the file, whole or not at all, in time proportional to the session. Returns the losses in new messages.
   */
  async write(messages: readonly AgentMessage[], systemPrompt?: string): Promise<Loss[]> {
    const dialect = this.#dialect;
    const lines = viewMessages(messages, views[dialect], systemPrompt).map((message) => formatLine(message));
    const { output, losses } = await convert(lines.join(""), { from: "openclaw", to: dialect });
    const folder = dirname(this.#path);
    await refuseLinks(this.#home, folder);
    await makeFolder(folder);
    await writeWhole(this.#path, output);
    const known = this.#lines;
    this.#lines = lines.length;
    return losses.filter(({ at }) => lineOf(at) >= known);
  }
}

/** Throws when a folder between the home and `folder` is a symbolic link: the file would be written elsewhere. */
async function refuseLinks(home: string, folder: string): Promise<void> {
  let path = home;
  for (const name of relative(home, folder).split(sep)) {
    path = join(path, name);
    const info = await fallbackIfMissing(lstat(path), undefined);
    if (info === undefined) return;
    if (!info.isSymbolicLink() || path === home) continue;
    throw new DragomanError("config/linked-view", `the view is not written: "${path}" is a symbolic link`, {
      hint: "views are written inside the home only; replace the link with a folder",
    });
  }
}

/** The line of a loss; 0 for a loss of the file as a whole. */
function lineOf(at: string): number {
  return Number(/^\/(\d+)/.exec(at)?.[1] ?? 0);
}

/** Without our notes, and with the system prompt, which the log does not contain. */
function viewMessages(
  messages: readonly AgentMessage[],
  view: View,
  systemPrompt: string | undefined,
): AgentMessage[] {
  const [first, ...rest] = messages.filter((message) => noteOf(message) === undefined);
  if (first?.role !== "session") return first === undefined ? rest : [first, ...rest];
  const { timestamp } = first;
  const prompt: AgentMessage[] =
    systemPrompt === undefined ? [] : [{ role: "system", content: systemPrompt, timestamp }];
  // A view is a snapshot: its time is that of the last message.
  const header = { ...first, timestamp: messages.at(-1)?.timestamp ?? timestamp };
  return [...(view.header ? [header] : []), ...prompt, ...rest];
}
