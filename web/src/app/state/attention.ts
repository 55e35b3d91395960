import type { SessionList } from "./session-list.js";

/** A reason to notify a user who is looking elsewhere. */
export interface Attention {
  session: string;
  why: "asks" | "ended";
}

/** What changed between two states of the list that the user may be waiting for. */
export function attentionBetween(
  before: Pick<SessionList, "busy" | "asking">,
  after: Pick<SessionList, "busy" | "asking">,
): Attention[] {
  const asks = [...after.asking].filter((id) => !before.asking.has(id));
  const ended = [...before.busy].filter((id) => !after.busy.has(id));
  return [
    ...asks.map((session) => ({ session, why: "asks" as const })),
    ...ended.map((session) => ({ session, why: "ended" as const })),
  ];
}

/** `(2) Plans · Dragoman` while two sessions wait for the user. */
export function tabTitle(title: string, asking: number): string {
  const name = title === "" ? "Dragoman" : `${title} · Dragoman`;
  return asking === 0 ? name : `(${asking}) ${name}`;
}
