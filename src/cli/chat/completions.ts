import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { timeText } from "../../core/page/shown-text.js";
import { systemCode } from "../../log/files/disk-error.js";
import { knownModelNames } from "../../runtime/model-directory.js";
import type { MenuItem } from "./input-menu.js";
import { slashCommands } from "./slash-commands.js";
import type { Talk } from "./talk.js";

/** What the text from `from` to the cursor can become. */
export interface Completions {
  from: number;
  items: MenuItem[];
}

const MAX_ITEMS = 200;

/** Completes commands, their arguments, and files after `@`. Undefined where nothing can be completed. */
export async function completionsFor(before: string, talk: Talk): Promise<Completions | undefined> {
  const [, command] = /^\/([a-z]*)$/i.exec(before) ?? [];
  if (command !== undefined) {
    const items = slashCommands.map(({ name, summary }) => ({ value: `/${name} `, text: summary }));
    return matching(0, before, items);
  }
  const [line, name, given = ""] = /^\/([a-z]+)\s+(\S*)$/i.exec(before) ?? [];
  if (line !== undefined) {
    const from = before.length - given.length;
    if (name === "model") {
      const names = knownModelNames(talk.runtime.config);
      return matching(
        from,
        given,
        names.map((value) => ({ value })),
      );
    }
    if (name === "resume") return matching(from, given, await sessionItems(talk));
  }
  const [, path] = /(?:^|\s)@(\S*)$/.exec(before) ?? [];
  if (path === undefined) return undefined;
  return matching(before.length - path.length, path, await filesIn(path, await talk.workspace()));
}

function matching(from: number, typed: string, items: readonly MenuItem[]): Completions {
  const found = items.filter(({ value }) => value.startsWith(typed));
  // What contains the text helps if nothing starts with it.
  const others = items.filter(({ value, text }) =>
    `${value} ${text ?? ""}`.toLowerCase().includes(typed.toLowerCase()),
  );
  return { from, items: (found.length > 0 ? found : others).slice(0, MAX_ITEMS) };
}

/** The agent's chats, the latest first. */
export async function sessionItems({ runtime, agent }: Talk): Promise<MenuItem[]> {
  await runtime.catalogue.update();
  const sessions = await runtime.catalogue.list({ agents: [agent], archived: false });
  return sessions
    .filter(({ parent }) => parent?.toolCallId === undefined)
    .map(({ id, title, active }) => ({
      value: id,
      label: title === undefined || title === "" ? id : title,
      text: active === undefined ? "" : timeText(active).slice(0, 16),
    }));
}

async function filesIn(typed: string, workspace: string): Promise<MenuItem[]> {
  const slash = typed.lastIndexOf("/") + 1;
  const folder = typed.slice(0, slash);
  try {
    const at = folder.startsWith("~/") ? join(homedir(), folder.slice(2)) : resolve(workspace, folder);
    const entries = await readdir(at, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.name.startsWith(".") || typed.slice(slash).startsWith("."))
      .map((entry) => ({ value: `${folder}${entry.name}${entry.isDirectory() ? "/" : " "}` }))
      .sort((a, b) => (a.value < b.value ? -1 : 1));
  } catch (error) {
    // A path that does not exist has no completions.
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}
