import { type Static, type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import type { ChannelName, SettingsOf } from "./registry.js";

const text = Type.String({ pattern: "\\S" });
export const optional = { text: Type.Optional(text), texts: Type.Optional(Type.Array(text)) };

function oneOf<const T extends string>(values: readonly T[]) {
  return Type.Optional(Type.Unsafe<T>({ enum: [...values] }));
}

/** Who is answered, and by whom. */
const access = {
  /** The agent that answers; `main` unless given. */
  agent: optional.text,
  /** Direct messages of people nobody knows: they get a code that the owner approves (the default), or silence, or an answer. */
  direct: oneOf(["pairing", "allowlist", "open", "off"]),
  /** People who are answered, by the platform's ids. */
  allow: optional.texts,
  /** Those who may give commands. */
  owners: optional.texts,
  /** In groups it answers when it is addressed (the default), everything, or nothing. */
  groups: oneOf(["mention", "always", "off"]),
  /** Groups and channels in which everybody is answered. Elsewhere only people who are allowed are. */
  allowGroups: optional.texts,
};

export type AccessSettings = Static<TObject<typeof access>>;

/** The settings of an account of any channel. */
export type AccountSettings = AccessSettings & { readonly [setting: string]: unknown };

/** The settings of a channel's accounts: those of every channel, and its own. */
export function account<P extends TProperties>(properties: P) {
  return Type.Object({ ...access, ...properties }, { additionalProperties: false });
}

/** It names a folder, so that none begins with a dot. */
const accountName = Type.String({ pattern: "^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$" });

/**
 * People by names of our own, who have one conversation on all platforms: `"ann": ["telegram/work:123", "discord:456"]`. Without
 * an account the one called `default` is meant.
 */
const Identities = Type.Record(
  Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$" }),
  Type.Array(Type.String({ pattern: "^[a-z]+(/[A-Za-z0-9_.-]+)?:\\S+$" })),
  { additionalProperties: false },
);
export type Identities = Static<typeof Identities>;

/** `channels` of `config.json`: the accounts of each platform, by names of our own; a single one is called `default`. */
export type ChannelsConfig = { [N in ChannelName]?: Record<string, SettingsOf<N>> } & {
  identities?: Identities;
};

/** The schema of `channels`, from the settings that each channel declares in its folder. */
export function channelsSchema(settings: Readonly<Record<string, TSchema>>) {
  const accounts = Object.entries(settings).map(([name, schema]) => [
    name,
    Type.Optional(Type.Record(accountName, schema, { additionalProperties: false })),
  ]);
  return Type.Unsafe<ChannelsConfig>(
    Type.Object(
      { ...Object.fromEntries(accounts), identities: Type.Optional(Identities) },
      { additionalProperties: false },
    ),
  );
}
