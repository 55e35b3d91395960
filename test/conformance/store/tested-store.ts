import type { AgentMessage } from "../../../src/core/types.js";
import type { Store } from "../../../src/log/store.js";
import type { Entry, Lease, SessionLog } from "../../../src/log/types.js";

/** What every store has. */
export type TestedStore = Omit<Store, "catalogue">;

/** One new, empty store, and what can happen to the processes that use it. */
export interface SharedStore {
  /** Opens it as another process would. */
  open(): Promise<TestedStore>;
  /** A process gets the lease of a session and is killed. */
  leaseAndDie(session: string): Promise<void>;
  /** The lease of a session that a process holds ends because it was not renewed in time. */
  expire(session: string): Promise<void>;
}

export type StoreMaker = () => Promise<SharedStore>;

export const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1 });

/** A message that was sent with an idempotency key. */
export function keyed(content: string, idempotencyKey: string): AgentMessage {
  return { ...user(content), ext: { sent: { idempotencyKey, runId: "run" } } };
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

export const said = ({ message }: Entry) => ("content" in message ? message.content : message.role);

export async function texts(session: SessionLog, from = 0): Promise<unknown[]> {
  return (await all(session.read({ from }))).map(said);
}

export function held(lease: Lease | undefined): Lease {
  if (lease === undefined) throw new Error("the lease is not free");
  return lease;
}
