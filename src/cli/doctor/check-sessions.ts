import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { namesIn } from "../../log/files/folder.js";
import { leftovers } from "../../log/leftovers.js";
import { fateOf, parseHolder, thisProcess } from "../../log/locks/holder.js";
import type { Runtime } from "../../runtime/runtime.js";
import { counted } from "../terminal/table.js";
import { type Finding, failed, ok, warning } from "./finding.js";

/** The index is derived: at worst it is built anew. */
export async function checkIndex(runtime: Runtime, notes: readonly string[]): Promise<Finding> {
  const folder = join(runtime.home, "index");
  try {
    await access(folder);
  } catch {
    return ok("index", "there is none yet; the first search makes it");
  }
  try {
    const { sessions } = await runtime.catalogue.stats();
    const [note] = notes;
    if (note !== undefined) return warning("index", note, "nothing to do: it is whole again");
    return ok("index", `knows ${counted(sessions, "session")}`);
  } catch (error) {
    return failed("index", error, `delete "${folder}"; it is built anew`);
  }
}

/** Sessions in which a process that is gone has left a run, or messages that wait for one. */
export async function checkMarks(runtime: Runtime): Promise<Finding> {
  const left = new Set<string>();
  for (const folder of ["runs", "inboxes"].map((name) => join(runtime.home, name))) {
    for (const id of await namesIn(folder)) {
      try {
        const lease = await runtime.log.lease(id);
        if (lease === undefined) continue;
        await lease.release();
        left.add(id);
      } catch (error) {
        return failed("runs", error, `look at "${join(folder, id)}"`);
      }
    }
  }
  if (left.size === 0) return ok("runs", "nobody waits for an answer that was cut off");
  return warning(
    "runs",
    `${counted(left.size, "session")} with something unanswered: ${[...left].join(", ")}`,
    "start `dragoman serve`: it resumes them; one that is running does so within seconds",
  );
}

/** Locks of processes that are gone. They are taken over when somebody asks for them. */
export async function checkLocks(home: string): Promise<Finding> {
  const me = thisProcess();
  const folder = join(home, "locks");
  let dead = 0;
  for (const name of await namesIn(folder)) {
    const holder = parseHolder(await readFile(join(folder, name), "utf8").catch(() => ""));
    if (holder !== undefined && fateOf(holder, me) === "dead") dead++;
  }
  return dead === 0
    ? ok("locks", "none is stale")
    : warning(
        "locks",
        `${counted(dead, "lock file")} of processes that are gone`,
        "nothing: they are taken over",
      );
}

/** What killed commands were still writing. */
export async function checkLeftovers(home: string): Promise<Finding> {
  try {
    const { length, 0: first } = await leftovers(home);
    if (first === undefined) return ok("leftovers", "no command was killed while it was writing");
    const more = length === 1 ? "" : ` and ${length - 1} more`;
    return warning(
      "leftovers",
      `unfinished files of killed commands: ${first}${more}`,
      "nothing: the next command that opens the sessions removes them",
    );
  } catch (error) {
    return failed("leftovers", error, `look at "${home}"`);
  }
}

/** A clock that stepped back makes new messages look older than those before them. */
export async function checkClock(runtime: Runtime, now: number): Promise<Finding> {
  const built = Date.UTC(2025, 0, 1);
  const minute = 60_000;
  let newest = 0;
  for await (const { modified } of runtime.log.list()) newest = Math.max(newest, modified);
  if (now < built || newest > now + minute) {
    return warning(
      "clock",
      `it says ${new Date(now).toISOString()}, which is before what is stored already`,
      "set the clock of this computer",
    );
  }
  return ok("clock", new Date(now).toISOString());
}
