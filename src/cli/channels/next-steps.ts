import type { Person } from "../../channels/types.js";
import { type AccountName, nameOf } from "./account-name.js";
import { shownPerson } from "./shown-person.js";

interface Added {
  me: Person | undefined;
  isNew: boolean;
  /** The variable that holds the secret. */
  kept: string | undefined;
}

/** What to tell somebody who has just added an account. */
export function nextSteps(name: AccountName, { me, isNew, kept }: Added): string[] {
  const who = me === undefined || name.channel === "webhook" ? "" : ` It is ${shownPerson(me)} there.`;
  return [
    `${nameOf(name)} is ${isNew ? "added" : "changed"}.${who}`,
    ...(kept === undefined ? [] : [`Its secret stays in ${kept}, which the gateway needs too.`]),
    "",
    "Next:",
    "  1. dragoman serve                  start the gateway, or start it again if it is running",
    ...(name.channel === "webhook"
      ? [`  2. POST /channels/webhook/${name.account} there, signed as docs/spec/webhook-channel.md says`]
      : [
          `  2. write to it${me?.name === undefined ? "" : ` (${shownName(name, me.name)})`}; it answers with a code`,
        ]),
    "  3. dragoman channels approve CODE --owner",
  ];
}

function shownName({ channel }: AccountName, name: string): string {
  return channel === "telegram" ? `@${name}` : name;
}
