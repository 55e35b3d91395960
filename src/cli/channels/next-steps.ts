import type { Channel, Person } from "../../channels/types.js";
import { type AccountName, nameOf } from "./account-name.js";
import { shownPerson } from "./shown-person.js";

interface AddedAccount {
  channel: Channel;
  me: Person | undefined;
  isNew: boolean;
  /** The environment variable that holds the secret. */
  kept: string | undefined;
}

export function nextSteps(name: AccountName, { channel, me, isNew, kept }: AddedAccount): string[] {
  const { reachedBy, mention = (shown) => shown } = channel;
  const who = me === undefined || reachedBy !== undefined ? "" : ` Connected as ${shownPerson(me)}.`;
  const called = me?.name === undefined ? "" : ` (${mention(me.name)})`;
  return [
    `${isNew ? "Added" : "Updated"} ${nameOf(name)}.${who}`,
    ...(kept === undefined ? [] : [`Its secret is read from ${kept}; set it for the gateway as well.`]),
    "",
    "Next:",
    "  1. dragoman serve                  start the gateway, or restart it",
    `  2. ${reachedBy?.(name.account) ?? `send it a message${called}; it replies with a code`}`,
    "  3. dragoman channels approve CODE --owner",
  ];
}
