import type { Channel, ChannelOptions, Person } from "../../channels/types.js";
import { DragomanError } from "../../core/error.js";

export interface Linking<Settings> extends Pick<ChannelOptions<Settings>, "settings" | "values"> {
  /** Shows a code to scan on the phone; called again when the code changes. */
  show(code: string): void;
}

/**
 * Connects an account that is linked on a phone instead of using a token, shows its codes until it is linked, and closes it.
 * Incoming messages are not acknowledged.
 */
export async function link<Settings>(
  channel: Channel<Settings>,
  linking: Linking<Settings>,
): Promise<Person> {
  const { settings, values, show } = linking;
  let settle: { done(me: Person): void; fail(error: Error): void } | undefined;
  const linked = new Promise<Person>((done, fail) => {
    settle = { done, fail };
  });
  const transport = await channel.open({
    settings,
    values,
    receive: () => Promise.reject(new Error("no messages are received while linking an account")),
    choose: () => Promise.reject(new Error("no buttons are accepted while linking an account")),
    onState: (state) => {
      if (state.state === "pairing") show(state.code);
      if (state.state === "connected") settle?.done(state.me);
      if (state.state === "stopped") settle?.fail(stopped(state.why, state.hint));
    },
    people: async () => [],
    onUnread: () => undefined,
    media: () => Promise.reject(new Error("no messages are sent while linking an account")),
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
