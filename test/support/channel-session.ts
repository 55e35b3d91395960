import { join } from "node:path";
import {
  type Channel,
  type ChannelState,
  type Inbound,
  type Media,
  SendError,
  type Transport,
} from "../../src/channels/types.js";
import { temporaryFolder } from "./temporary-folder.js";
import { valuesIn } from "./values-in.js";

/** One opened channel, and everything it told. */
export interface ChannelSession<Native> {
  transport: Transport<Native>;
  inbound: Inbound[];
  states: ChannelState[];
  /** Why something that came is no message. */
  unread: string[];
  /** Fulfilled when it holds, which is looked at whenever the channel has told something. */
  until(holds: () => boolean): Promise<void>;
}

export interface SessionOptions {
  /** Rejects to say that it could not be stored. */
  store?(inbound: Inbound): Promise<void>;
  /** The files behind addresses of our own. */
  media?(url: string, mostBytes: number): Promise<Media>;
  folder?: string;
  /** Those who are let in by name. */
  people?: readonly string[];
}

export async function openSession<Settings, Native>(
  channel: Channel<Settings, Native>,
  settings: Settings,
  options: SessionOptions = {},
): Promise<ChannelSession<Native>> {
  const inbound: Inbound[] = [];
  const states: ChannelState[] = [];
  const unread: string[] = [];
  const watchers = new Set<() => void>();
  const changed = () => {
    for (const watcher of [...watchers]) watcher();
  };
  const folder = options.folder ?? temporaryFolder();
  const transport = await channel.open({
    settings,
    values: (group = "") => valuesIn(join(folder, group)),
    receive: async (message) => {
      inbound.push(message);
      changed();
      await options.store?.(message);
    },
    choose: async () => "",
    onState: (state) => {
      states.push(state);
      changed();
    },
    people: async () => options.people ?? [],
    onUnread: (why) => {
      unread.push(why);
      changed();
    },
    media: options.media ?? (() => Promise.reject(new Error("there are no files"))),
    fetch,
    now: Date.now,
  });
  const until = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!holds()) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
  return { transport, inbound, states, unread, until };
}

/** How a send failed; anything but a `SendError` is a failure of the test. */
export async function failureOf(sent: Promise<unknown>): Promise<SendError> {
  try {
    await sent;
  } catch (error) {
    if (error instanceof SendError) return error;
    throw error;
  }
  throw new Error("it was sent");
}
