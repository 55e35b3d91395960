import { DragomanError } from "../../core/error.js";
import type { SessionSummary } from "../../log/catalogue/types.js";
import type { Lease } from "../../log/types.js";
import type { Sessions } from "../../runtime/sessions.js";
import { findElsewhere, findOwn } from "../../runtime/sources/find-session.js";
import { usageError } from "../arguments.js";
import type { SessionsHere } from "./at-home.js";
import { chosenSources } from "./chosen-sources.js";
import { plainLine } from "./plain.js";

const SUGGESTIONS = 3;
const TITLE_COLUMNS = 40;

/**
 * The session with this id, id prefix or key, in the home or else in another source. Sources whose file names contain the
 * ids of sessions are not indexed for it. `source` is the value of `--source` (default: all).
 */
export async function findSession(here: SessionsHere, name: string, source = "all"): Promise<SessionSummary> {
  if (name === "") throw usageError("the session's ID is empty");
  // Without --source, the configuration is read only if the home does not have the session.
  const own = source === "all" ? await findOwn(here.catalogue, name) : undefined;
  if (own !== undefined) return own;
  const { home, others } = await chosenSources(here, source);
  const found =
    (home ? await findOwn(here.catalogue, name) : undefined) ?? (await findElsewhere(here, others, name));
  if (found !== undefined) return found;
  const sources = home ? "all" : others.map((other) => other.name);
  throw new DragomanError("log/no-session", `there is no session ${JSON.stringify(name)}`, {
    hint: hintFor(name, await here.catalogue.list({ sources })),
  });
}

function hintFor(name: string, all: readonly SessionSummary[]): string {
  const near = all.filter((session) => isNear(name.toLowerCase(), session)).slice(0, SUGGESTIONS);
  if (near.length === 0) return "`dragoman sessions list --source all` lists them";
  return `did you mean ${near.map(({ id, title }) => named(id, title)).join(", or ")}?`;
}

/** Whether the name is a part of it, or has a typo after the beginning. */
function isNear(name: string, { id, key = "", title = "" }: SessionSummary): boolean {
  const texts = [id, key, title].map((text) => text.toLowerCase());
  const beginning = name.slice(0, Math.ceil(name.length * 0.75));
  return (
    texts.some((text) => text.includes(name)) ||
    (beginning.length >= 4 && texts.some((text) => text.startsWith(beginning)))
  );
}

function named(id: string, title: string | undefined): string {
  return title === undefined ? plainLine(id) : `${plainLine(id)} (${plainLine(title, TITLE_COLUMNS)})`;
}

/** Refuses to change another program's session. */
export function refuseForeign({ id, foreign }: SessionSummary): void {
  if (!foreign) return;
  const name = plainLine(id);
  throw new DragomanError(
    "log/foreign",
    `session ${name} was written by another program and is never modified`,
    { hint: `\`dragoman sessions fork ${name}\` makes an editable copy` },
  );
}

/** Runs `work` while no process runs the session. */
export async function whileIdle<T>({ log }: Sessions, id: string, work: () => Promise<T>): Promise<T> {
  const lease: Lease | undefined = await log.lease(id);
  if (lease === undefined) {
    throw new DragomanError("log/locked", `session ${id} is being answered by another process`, {
      hint: "try again when it has finished",
    });
  }
  try {
    return await work();
  } finally {
    await lease.release();
  }
}
