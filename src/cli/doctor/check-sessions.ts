import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { namesIn } from "../../log/files/folder.js";
import { leftovers } from "../../log/files/leftovers.js";
import { fateOf, parseHolder, thisProcess } from "../../log/locks/holder.js";
import type { Runtime } from "../../runtime/runtime.js";
import { counted } from "../terminal/table.js";
import { type Finding, failed, ok, warning } from "./finding.js";

/** The index is derived data: at worst it is rebuilt. */
export async function checkIndex(runtime: Runtime, notes: readonly string[]): Promise<Finding> {
  const folder = join(runtime.home, "index");
  const isFiles = runtime.store.where === runtime.home;
  try {
    if (isFiles) await access(folder);
  } catch {
    return ok("index", "not built yet; the first search builds it");
  }
  try {
    const { sessions } = await runtime.catalogue.stats();
    const [note] = notes;
    if (note !== undefined) return warning("index", note, "nothing to do: it was rebuilt");
    return ok("index", `${counted(sessions, "session")}`);
  } catch (error) {
    return failed("index", error, isFiles ? `delete "${folder}"; it will be rebuilt` : "check the database");
  }
}

/** Sessions in which a dead process left an unfinished run or queued messages. */
export async function checkMarks(runtime: Runtime): Promise<Finding> {
  const left = new Set<string>();
  for (const id of await runtime.store.due.list()) {
    try {
      const lease = await runtime.log.lease(id);
      if (lease === undefined) continue;
      await lease.release();
      left.add(id);
    } catch (error) {
      return failed("runs", error, `check session ${id}`);
    }
  }
  if (left.size === 0) return ok("runs", "no interrupted answers");
  return warning(
    "runs",
    `${counted(left.size, "session")} with unanswered messages: ${[...left].join(", ")}`,
    "start `dragoman serve` to resume them; a running gateway does so within seconds",
  );
}

/** Locks left by dead processes. The next process that needs them reclaims them. */
export async function checkLocks(home: string): Promise<Finding> {
  const me = thisProcess();
  const folder = join(home, "locks");
  let dead = 0;
  for (const name of await namesIn(folder)) {
    const holder = parseHolder(await readFile(join(folder, name), "utf8").catch(() => ""));
    if (holder !== undefined && fateOf(holder, me) === "dead") dead++;
  }
  return dead === 0
    ? ok("locks", "no stale locks")
    : warning(
        "locks",
        `${counted(dead, "lock file")} left by dead processes`,
        "nothing to do: they are reclaimed when needed",
      );
}

/** Files that killed commands were still writing. */
export async function checkLeftovers(home: string): Promise<Finding> {
  try {
    const { length, 0: first } = await leftovers(home);
    if (first === undefined) return ok("leftovers", "no unfinished files");
    const more = length === 1 ? "" : ` and ${length - 1} more`;
    return warning(
      "leftovers",
      `unfinished files of killed commands: ${first}${more}`,
      "nothing to do: the next command that opens the sessions removes them",
    );
  } catch (error) {
    return failed("leftovers", error, `look at "${home}"`);
  }
}

/** A clock that is behind makes new messages look older than stored ones. */
export async function checkClock(runtime: Runtime, now: number): Promise<Finding> {
  const built = Date.UTC(2025, 0, 1);
  const minute = 60_000;
  let newest = 0;
  for await (const { modified } of runtime.log.list()) newest = Math.max(newest, modified);
  if (now < built || newest > now + minute) {
    return warning(
      "clock",
      `${new Date(now).toISOString()} is earlier than stored messages`,
      "set this computer's clock",
    );
  }
  return ok("clock", new Date(now).toISOString());
}
