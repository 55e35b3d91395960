import { createReadStream } from "node:fs";
import { load } from "../../convert/detect.js";
import type { Dialect } from "../../core/dialect.js";
import type { AgentFilter, SessionSummary } from "../../log/catalogue/types.js";
import type { Runtime } from "../../runtime/runtime.js";
import type { IndexOptions } from "../../runtime/sources/readable-sessions.js";
import { fileDialect } from "../../runtime/transcript.js";
import { agentFilter, mayUse } from "../auth/permit.js";
import { includesScope } from "../auth/scope.js";
import { readableSessions } from "../readable-sessions.js";
import { notFound, scopeNeeded } from "../refusals.js";
import { sessionIdNamed } from "../session-name.js";
import type { Permit } from "../types.js";
import type { Context } from "./context.js";

export interface StoredTranscript {
  dialect: Dialect;
  /** The file as it is. */
  bytes(): AsyncIterable<Uint8Array>;
  /** Its readable lines. */
  readable(): AsyncIterable<Uint8Array>;
}

/** A session's summary from the index, also if another program wrote it. */
export async function summaryNamed(
  { catalogue, log }: Pick<Runtime, "catalogue" | "log">,
  name: string,
  permit: Permit,
): Promise<SessionSummary> {
  await catalogue.update();
  const session = (await catalogue.get(name)) ?? (await catalogue.get(await sessionIdNamed(log, name)));
  if (session === undefined || !mayUse(permit, session.agent))
    throw notFound(`there is no session ${JSON.stringify(name)}`);
  return session;
}

/** The contents of a session's file, whichever program wrote it. */
export async function storedTranscript(
  runtime: Runtime,
  name: string,
  permit: Permit,
): Promise<StoredTranscript> {
  const { id, path, foreign } = await summaryNamed(runtime, name, permit);
  if (foreign) {
    const bytes = () => createReadStream(path);
    return { dialect: await fileDialect(path), bytes, readable: bytes };
  }
  const { session } = await runtime.open(id);
  const end = await session.end();
  return {
    dialect: await load("openclaw"),
    bytes: () => createReadStream(path, { end: end - 1 }),
    async *readable() {
      for await (const { message } of session.read()) yield Buffer.from(`${JSON.stringify(message)}\n`);
    },
  };
}

/** What a listing of a source's sessions is limited to, after indexing what is new in it. */
export async function indexedFilter(
  source: string | undefined,
  { gateway, permit, signal }: Context,
): Promise<AgentFilter> {
  if (source !== undefined) return readableSessions(gateway, permit).indexed(source, quiet(signal));
  await gateway.runtime.catalogue.update();
  return agentFilter(permit);
}

export function foundIn(
  source: string,
  name: string,
  { gateway, permit, signal }: Context,
): Promise<SessionSummary> {
  return readableSessions(gateway, permit).find(name, source, quiet(signal));
}

export async function transcriptIn(
  source: string,
  name: string,
  context: Context,
): Promise<StoredTranscript> {
  const { gateway, permit } = context;
  const found = await foundIn(source, name, context);
  const { dialect, open } = await readableSessions(gateway, permit).bytesOf(found);
  return { dialect, bytes: open, readable: open };
}

function quiet(signal: AbortSignal): IndexOptions {
  return { signal, onProgress: () => undefined };
}

/** Paths on the server are for its administrators only. */
export function requireAdmin({ scope }: Permit): void {
  if (!includesScope(scope, "admin")) throw scopeNeeded("admin");
}
