import type { Channel } from "./types.js";

/** Every channel, loaded on first use. A new channel is a folder and a line here. */
export const registry = {
  telegram: async () => (await import("./telegram/index.js")).telegram,
  discord: async () => (await import("./discord/index.js")).discord,
  whatsapp: async () => (await import("./whatsapp/index.js")).whatsapp,
  webhook: async () => (await import("./webhook/index.js")).webhook,
} satisfies Record<string, () => Promise<Channel>>;

export type ChannelName = keyof typeof registry;

/** The account settings a channel declares. */
export type SettingsOf<N extends ChannelName> =
  Awaited<ReturnType<(typeof registry)[N]>> extends Channel<infer Settings, infer _> ? Settings : never;

export function isChannelName(name: string): name is ChannelName {
  return Object.hasOwn(registry, name);
}

/** In listing order. */
export const channelNames: readonly ChannelName[] = Object.keys(registry).filter(isChannelName);

export function loadChannel(name: ChannelName): Promise<Channel> {
  return registry[name]();
}

export function loadChannels(): Promise<{ name: ChannelName; channel: Channel }[]> {
  return Promise.all(channelNames.map(async (name) => ({ name, channel: await loadChannel(name) })));
}
