import { liveDatabase } from "../support/live-database.js";

/** The tables of opencode 1.18 with what sessions consist of, and the columns that were added over time. */
const TABLES = `
CREATE TABLE \`session\` (\`id\` text PRIMARY KEY, \`project_id\` text NOT NULL, \`workspace_id\` text, \`parent_id\` text,
  \`slug\` text NOT NULL, \`directory\` text NOT NULL, \`path\` text, \`title\` text NOT NULL, \`version\` text NOT NULL,
  \`share_url\` text, \`summary_additions\` integer, \`summary_deletions\` integer, \`summary_files\` integer,
  \`summary_diffs\` text, \`metadata\` text, \`cost\` real DEFAULT 0 NOT NULL, \`tokens_input\` integer DEFAULT 0 NOT NULL,
  \`tokens_output\` integer DEFAULT 0 NOT NULL, \`tokens_reasoning\` integer DEFAULT 0 NOT NULL,
  \`tokens_cache_read\` integer DEFAULT 0 NOT NULL, \`tokens_cache_write\` integer DEFAULT 0 NOT NULL, \`revert\` text,
  \`permission\` text, \`agent\` text, \`model\` text, \`time_created\` integer NOT NULL, \`time_updated\` integer NOT NULL,
  \`time_compacting\` integer, \`time_archived\` integer);
CREATE TABLE \`message\` (\`id\` text PRIMARY KEY, \`session_id\` text NOT NULL, \`time_created\` integer NOT NULL,
  \`time_updated\` integer NOT NULL, \`data\` text NOT NULL,
  CONSTRAINT \`fk_message\` FOREIGN KEY (\`session_id\`) REFERENCES \`session\`(\`id\`) ON DELETE CASCADE);
CREATE TABLE \`part\` (\`id\` text PRIMARY KEY, \`message_id\` text NOT NULL, \`session_id\` text NOT NULL,
  \`time_created\` integer NOT NULL, \`time_updated\` integer NOT NULL, \`data\` text NOT NULL);
CREATE TABLE \`session_message\` (\`id\` text PRIMARY KEY, \`session_id\` text NOT NULL, \`type\` text NOT NULL,
  \`seq\` integer NOT NULL, \`data\` text NOT NULL);
CREATE INDEX \`message_session_time_created_id_idx\` ON \`message\` (\`session_id\`,\`time_created\`,\`id\`);
CREATE INDEX \`part_message_id_id_idx\` ON \`part\` (\`message_id\`,\`id\`);
CREATE INDEX \`part_session_idx\` ON \`part\` (\`session_id\`);
CREATE UNIQUE INDEX \`session_message_session_seq_idx\` ON \`session_message\` (\`session_id\`,\`seq\`);
`;

/** A running opencode: what it writes is visible in `path` after `publish`. */
export function opencodeDatabase(path: string) {
  const { db, publish } = liveDatabase(path);
  db.exec(TABLES);
  let time = 1_767_261_600_000;
  const tick = () => {
    time += 1000;
    return time;
  };
  return {
    path,
    db,
    publish,
    /** opencode does not set the time of a session when its messages change. */
    addSession(id: string, columns: Readonly<Record<string, string | number>> = {}): void {
      const created = tick();
      const row = {
        id,
        project_id: "global",
        slug: "quiet-harbour",
        directory: "/home/ann/harbour",
        title: `Title of ${id}`,
        version: "1.18.34",
        time_created: created,
        time_updated: created,
        ...columns,
      };
      const names = Object.keys(row);
      db.run(
        `INSERT INTO session (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
        Object.values(row),
      );
    },
    addUser(session: string, id: string, text: string): void {
      const created = tick();
      const data = {
        role: "user",
        time: { created },
        agent: "build",
        model: { providerID: "anthropic", modelID: "claude-sonnet-4-5" },
      };
      db.run("INSERT INTO message VALUES (?, ?, ?, ?, ?)", [
        id,
        session,
        created,
        created,
        JSON.stringify(data),
      ]);
      this.setPart(id, id.replace("msg", "prt"), { type: "text", text });
    },
    addAnswer(session: string, id: string, parentID: string): void {
      const created = tick();
      const data = {
        role: "assistant",
        time: { created },
        parentID,
        providerID: "anthropic",
        modelID: "claude-sonnet-4-5",
        mode: "build",
        agent: "build",
        path: { cwd: "/home/ann/harbour", root: "/home/ann/harbour" },
        cost: 0.25,
        tokens: { input: 100, output: 20, reasoning: 0, cache: { read: 0, write: 0 } },
        finish: "stop",
      };
      db.run("INSERT INTO message VALUES (?, ?, ?, ?, ?)", [
        id,
        session,
        created,
        created,
        JSON.stringify(data),
      ]);
    },
    /** Adds a part, or replaces it, which sets only its own time. */
    setPart(message: string, id: string, data: object): void {
      const now = tick();
      db.run(
        `INSERT INTO part SELECT ?, id, session_id, ?, ?, ? FROM message WHERE id = ?
          ON CONFLICT (id) DO UPDATE SET data = excluded.data, time_updated = excluded.time_updated`,
        [id, now, now, JSON.stringify(data), message],
      );
    },
  };
}
