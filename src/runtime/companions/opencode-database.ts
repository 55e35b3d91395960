import { DragomanError } from "../../core/error.js";
import { type Row, readDatabase, type Table, type Tables } from "../sqlite/database.js";
import type { Value } from "../sqlite/record.js";
import type { ContainedSession } from "./companions.js";

/**
 * The sessions in a database of opencode. `size` counts messages and parts: adding up their lengths would mean to read them.
 * `modified` is the time of the latest change to the session, its last message or a part of that message, because opencode
 * does not set the time of the session then.
 */
export async function sessionsIn(path: string): Promise<ContainedSession[]> {
  return readDatabase(path, (tables) => {
    if (tables.isEmpty) return [];
    const { session, message, part } = tablesOf(tables, path);
    return [...session.rows()].map((row) => {
      const id = textIn(row, "id");
      const messages = message.idsWith("session_id", id);
      const last = messages.length === 0 ? undefined : message.beginning(messages.reduce(later));
      const recent = last === undefined ? [] : part.idsWith("message_id", textIn(last, "id"));
      const changed = [row, last, ...recent.map((one) => part.beginning(one))];
      const modified = changed.map((one) => numberIn(one?.["time_updated"])).reduce(later);
      return { id, size: messages.length + part.idsWith("session_id", id).length, modified };
    });
  });
}

/** A session of a database as the document that `opencode export` writes, in pieces. */
export async function documentOf(path: string, id: string): Promise<string[]> {
  return readDatabase(path, (tables) => {
    const { session, message, part } = tablesOf(tables, path);
    const [found] = session.idsWith("id", id);
    const row = found === undefined ? undefined : session.row(found);
    if (row === undefined) throw new DragomanError("log/no-session", `there is no session ${id} in ${path}`);
    const messages = rowsWith(message, "session_id", id).sort(byTime);
    if (messages.length === 0 && (tables.get("session_message")?.idsWith("session_id", id).length ?? 0) > 0) {
      throw unknownForm(path, `its session ${id} has messages in a form of a newer version`);
    }
    const parts = partsByMessage(rowsWith(part, "session_id", id));
    return [
      `{"info":${infoOf(row)},"messages":[`,
      ...messages.map((one, index) => {
        const own = parts.get(textIn(one, "id")) ?? [];
        return `${index === 0 ? "" : ","}{"info":${messageText(one)},"parts":[${own.map(partText).join(",")}]}`;
      }),
      "]}",
    ];
  });
}

function tablesOf(tables: Tables, path: string): { session: Table; message: Table; part: Table } {
  const [session, message, part] = ["session", "message", "part"].map((name) => tables.get(name));
  if (session === undefined || message === undefined || part === undefined) {
    throw unknownForm(path, "it has no tables of sessions, messages and parts");
  }
  return { session, message, part };
}

function unknownForm(path: string, problem: string): DragomanError {
  return new DragomanError("log/unreadable", `${path} is not a known opencode database: ${problem}`, {
    hint: "`opencode export ID` writes a session as a file",
  });
}

function rowsWith(table: Table, column: string, text: string): Row[] {
  return table.idsWith(column, text).flatMap((id) => {
    const row = table.row(id);
    return row === undefined ? [] : [row];
  });
}

/** The order in which opencode shows messages. */
function byTime(a: Row, b: Row): number {
  return numberIn(a["time_created"]) - numberIn(b["time_created"]) || byId(a, b);
}

function byId(a: Row, b: Row): number {
  return Buffer.compare(Buffer.from(textIn(a, "id")), Buffer.from(textIn(b, "id")));
}

function partsByMessage(parts: Row[]): Map<string, Row[]> {
  const found = new Map<string, Row[]>();
  for (const part of parts.sort(byId)) {
    const message = textIn(part, "message_id");
    const others = found.get(message);
    if (others === undefined) found.set(message, [part]);
    else others.push(part);
  }
  return found;
}

function messageText(row: Row): string {
  return withFields(textIn(row, "data"), {
    id: textIn(row, "id"),
    sessionID: textIn(row, "session_id"),
  });
}

function partText(row: Row): string {
  return withFields(textIn(row, "data"), {
    id: textIn(row, "id"),
    sessionID: textIn(row, "session_id"),
    messageID: textIn(row, "message_id"),
  });
}

/** The text of an object with more fields. It is not parsed, so that numbers stay as they were written. */
function withFields(text: string, fields: Row): string {
  const more = JSON.stringify(fields).slice(1, -1);
  const rest = text.trim().slice(1).trimStart();
  return `{${more}${rest.startsWith("}") ? "" : ","}${rest}`;
}

/** The session's own fields, which have columns. */
function infoOf(row: Row): string {
  const counts = ["summary_additions", "summary_deletions", "summary_files"].map((name) => row[name]);
  const hasSummary = counts.some((count) => typeof count === "number");
  const [additions, deletions, files] = counts.map(numberIn);
  const hasUsage = row["tokens_input"] !== undefined;
  return objectText({
    id: quoted(row["id"]),
    slug: quoted(row["slug"]),
    projectID: quoted(row["project_id"]),
    workspaceID: quoted(row["workspace_id"]),
    directory: quoted(row["directory"]),
    path: quoted(row["path"]),
    parentID: quoted(row["parent_id"]),
    title: quoted(row["title"]),
    agent: quoted(row["agent"]),
    model: jsonIn(row["model"]),
    version: quoted(row["version"]),
    summary: hasSummary
      ? objectText({
          additions: String(additions),
          deletions: String(deletions),
          files: String(files),
          diffs: jsonIn(row["summary_diffs"]),
        })
      : undefined,
    cost: quoted(row["cost"]),
    tokens: hasUsage ? tokensOf(row) : undefined,
    share: row["share_url"] ? objectText({ url: quoted(row["share_url"]) }) : undefined,
    metadata: jsonIn(row["metadata"]),
    revert: jsonIn(row["revert"]),
    permission: jsonIn(row["permission"]),
    time: objectText({
      created: quoted(row["time_created"]),
      updated: quoted(row["time_updated"]),
      compacting: quoted(row["time_compacting"]),
      archived: quoted(row["time_archived"]),
    }),
  });
}

function tokensOf(row: Row): string {
  const count = (name: string) => numberIn(row[`tokens_${name}`]);
  const cache = { read: count("cache_read"), write: count("cache_write") };
  return JSON.stringify({
    input: count("input"),
    output: count("output"),
    reasoning: count("reasoning"),
    cache,
  });
}

/** An object of JSON texts, without those that are absent. */
function objectText(fields: Readonly<Record<string, string | undefined>>): string {
  const texts = Object.entries(fields).filter(([, text]) => text !== undefined);
  return `{${texts.map(([key, text]) => `"${key}":${text}`).join(",")}}`;
}

function quoted(value: Value | undefined): string | undefined {
  return typeof value === "string" || typeof value === "number" ? JSON.stringify(value) : undefined;
}

/** A column with JSON. */
function jsonIn(value: Value | undefined): string | undefined {
  return typeof value === "string" && value !== "null" ? value : undefined;
}

function textIn(row: Row, column: string): string {
  const { [column]: value } = row;
  return typeof value === "string" ? value : "";
}

function numberIn(value: Value | undefined): number {
  return typeof value === "number" ? value : 0;
}

function later(a: number, b: number): number {
  return Math.max(a, b);
}
