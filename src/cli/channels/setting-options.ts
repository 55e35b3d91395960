import { loadChannels } from "../../channels/registry.js";
import type { Channel, SettingOption } from "../../channels/types.js";
import { usageError } from "../arguments.js";

/** The options of `channels add` that channels declare. */
export interface OptionOwners {
  /** The channels that have each option. */
  owners: ReadonlyMap<string, readonly string[]>;
  /** The options as they are parsed. */
  parsed: object;
}

export async function optionOwners(): Promise<OptionOwners> {
  const owners = new Map<string, string[]>();
  for (const { name, channel } of await loadChannels()) {
    for (const option of Object.keys(channel.options ?? {})) {
      owners.set(option, [...(owners.get(option) ?? []), name]);
    }
  }
  return { owners, parsed: Object.fromEntries([...owners.keys()].map((name) => [name, { type: "string" }])) };
}

/** The settings that were given as options. An option of another channel is wrong usage. */
export function settingsGiven(
  command: string,
  values: object,
  { options = {} }: Channel,
  { owners }: OptionOwners,
): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const channels = owners.get(name);
    if (channels === undefined || typeof value !== "string") continue;
    const option: SettingOption | undefined = options[name];
    if (option === undefined) throw usageError(command, `--${name} is for ${channels.join(", ")} only`);
    settings[name] = option.read?.(value) ?? value;
  }
  return settings;
}
