import type { Channel, Person } from "../../channels/types.js";
import { type AccountName, nameOf } from "./account-name.js";
import { shownPerson } from "./shown-person.js";

interface Added {
  channel: Channel;
  me: Person | undefined;
  isNew: boolean;
  /** The variable that holds the secret. */
  kept: string | undefined;
}

/** What to tell somebody who has just added an account. */
export function nextSteps(name: AccountName, { channel, me, isNew, kept }: Added): string[] {
  const { reachedBy, mention = (shown) => shown } = channel;
  const who = me === undefined || reachedBy !== undefined ? "" : ` It is ${shownPerson(me)} there.`;
  const called = me?.name === undefined ? "" : ` (${mention(me.name)})`;
  return [
    `${nameOf(name)} is ${isNew ? "added" : "changed"}.${who}`,
    ...(kept === undefined ? [] : [`Its secret stays in ${kept}, which the gateway needs too.`]),
    "",
    "Next:",
    "  1. dragoman serve                  start the gateway, or start it again if it is running",
    `  2. ${reachedBy?.(name.account) ?? `write to it${called}; it answers with a code`}`,
    "  3. dragoman channels approve CODE --owner",
  ];
}
