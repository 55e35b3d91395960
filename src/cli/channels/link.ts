import type { Channel, ChannelOptions, Person } from "../../channels/types.js";
import { DragomanError } from "../../core/error.js";

export interface Linking<Settings> extends Pick<ChannelOptions<Settings>, "settings" | "folder"> {
  /** A code to be scanned on the phone; a fresh one now and then. */
  show(code: string): void;
}

/**
 * Connects an account that has no token but is linked on a phone, shows its codes until that is done, and closes it again. It
 * receives nothing: what comes meanwhile is not acknowledged.
 */
export async function link<Settings>(
  channel: Channel<Settings>,
  linking: Linking<Settings>,
): Promise<Person> {
  const { settings, folder, show } = linking;
  let settle: { done(me: Person): void; fail(error: Error): void } | undefined;
  const linked = new Promise<Person>((done, fail) => {
    settle = { done, fail };
  });
  const transport = await channel.open({
    settings,
    folder,
    receive: () => Promise.reject(new Error("nothing is received while an account is linked")),
    onState: (state) => {
      if (state.state === "pairing") show(state.code);
      if (state.state === "connected") settle?.done(state.me);
      if (state.state === "stopped") settle?.fail(stopped(state.why, state.hint));
    },
    people: async () => [],
    onUnread: () => undefined,
    media: () => Promise.reject(new Error("nothing is sent while an account is linked")),
    fetch,
    now: Date.now,
  });
  try {
    return await linked;
  } finally {
    await transport.close();
  }
}

function stopped(why: string, hint: string | undefined): DragomanError {
  return new DragomanError("channel/refused", why, hint === undefined ? {} : { hint });
}
