import { onTestFinished } from "vitest";
import type { AccessSettings } from "../../src/channels/settings.js";
import type { Inbound } from "../../src/channels/types.js";
import { Inbox } from "../../src/gateway/channels/inbox/inbox.js";
import { MetricsRegistry } from "../../src/gateway/metrics.js";
import { journalAt } from "../support/journal-at.js";
import { SteppedWorld } from "./stepped-world.js";

interface Told {
  texts: (string | undefined)[];
  before: (string | undefined)[];
  files: number;
  key: string;
}

const textsOf = (messages: readonly Inbound[]) => messages.map(({ message }) => message.Text);

/** Inboxes on the file of a path. */
export function inboxIn(path: () => string) {
  return (options: InboxInOptions = {}) => openInbox(path(), options);
}

interface InboxInOptions {
  debounceMs?: number;
  settings?: AccessSettings;
  tell?: (told: Told) => Promise<void>;
}

async function openInbox(
  path: string,
  {
    debounceMs = 0,
    settings = { direct: "open", allowGroups: ["-5"] },
    tell = async () => undefined,
  }: InboxInOptions,
) {
  const world = new SteppedWorld();
  const told: Told[] = [];
  const paired: string[] = [];
  const withdrawn: (string | undefined)[] = [];
  const noted: string[] = [];
  const note = (_: object, text: string) => void noted.push(text);
  const inbox = await Inbox.open({
    openJournal: journalAt(path),
    channel: "telegram",
    account: "default",
    traits: { debounceMs, mostBytes: 0 },
    world,
    logger: { info: note, warn: note, error: note },
    metrics: new MetricsRegistry(),
    policy: async () => ({ settings, people: [] }),
    pair: async ({ sender }) => void paired.push(sender.id),
    command: ({ message }, key) =>
      message.Text?.startsWith("/") === true
        ? async () => {
            const one = { texts: [message.Text], before: [], files: 0, key };
            await tell(one);
            told.push(one);
          }
        : undefined,
    recordWithdrawal: async ({ edits }) => void withdrawn.push(edits),
    sendToAgent: async (messages, before, key) => {
      const files = messages.flatMap(({ attachments }) => attachments).length;
      const one = { texts: textsOf(messages), before: textsOf(before), files, key };
      await tell(one);
      told.push(one);
    },
  });
  onTestFinished(() => world.until(inbox.close(1)));
  return { inbox, world, told, paired, noted, withdrawn };
}

/** Waits for what takes a few turns of the event loop, such as the disk. */
export async function turns(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}
