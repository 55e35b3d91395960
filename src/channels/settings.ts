import type { Static, TObject, TProperties, TSchema } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";
import type { ChannelName, SettingsOf } from "./registry.js";

const text = Type.String({ pattern: "\\S" });
export const optional = { text: Type.Optional(text), texts: Type.Optional(Type.Array(text)) };

function oneOf<const T extends string>(values: readonly T[]) {
  return Type.Optional(Type.Unsafe<T>({ enum: [...values] }));
}

/** Who gets answers, and from which agent. */
const access = {
  /** The agent that answers (default: `main`). */
  agent: optional.text,
  /** What strangers get in a direct chat: `pairing` a code for the owner to approve (default), `allowlist` nothing, `open` an answer. */
  direct: oneOf(["pairing", "allowlist", "open", "off"]),
  /** Platform ids of people who get answers. */
  allow: optional.texts,
  /** Platform ids of people who may give commands. */
  owners: optional.texts,
  /** Which group messages to answer: those that mention the bot (default), all, or none. */
  groups: oneOf(["mention", "always", "off"]),
  /** Groups and channels where everyone gets answers. Elsewhere only allowed people do. */
  allowGroups: optional.texts,
};

export type AccessSettings = Static<TObject<typeof access>>;

/** An account's settings, on any channel. */
export type AccountSettings = AccessSettings & { readonly [setting: string]: unknown };

/** The schema of a channel's account settings: the shared ones and its own. */
export function account<P extends TProperties>(properties: P) {
  return Type.Object({ ...access, ...properties }, { additionalProperties: false });
}

/** It is a folder name, so it must not start with a dot. */
const accountName = Type.String({ pattern: "^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$" });

/**
 * People who share one conversation across platforms: `"ann": ["telegram/work:123", "discord:456"]`. Without an account,
 * `default` is meant.
 */
const Identities = Type.Record(
  Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$" }),
  Type.Array(Type.String({ pattern: "^[a-z]+(/[A-Za-z0-9_.-]+)?:\\S+$" })),
  { additionalProperties: false },
);
export type Identities = Static<typeof Identities>;

/** `channels` in `config.json`: each platform's accounts by name. */
export type ChannelsConfig = { [N in ChannelName]?: Record<string, SettingsOf<N>> } & {
  identities?: Identities;
};

/** The schema of `channels`, built from the settings each channel declares. */
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
