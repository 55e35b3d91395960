import type { Channel, ChannelName } from "../../channels/types.js";

/** Channels by name, each loaded when an account of it is configured. */
export type ChannelRegistry = { readonly [N in ChannelName]?: () => Promise<Channel> };

export const registry: ChannelRegistry = {
  telegram: async () => (await import("../../channels/telegram/index.js")).telegram,
  discord: async () => (await import("../../channels/discord/index.js")).discord,
  whatsapp: async () => (await import("../../channels/whatsapp/index.js")).whatsapp,
  webhook: async () => (await import("../../channels/webhook/index.js")).webhook,
};
