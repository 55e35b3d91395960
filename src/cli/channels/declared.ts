import { DEFAULT_ACCOUNT, secretVariable } from "../../channels/accounts.js";
import { channelNames, loadChannels } from "../../channels/registry.js";
import type { Declaration } from "../declaration.js";
import { value } from "../options.js";

type More = Awaited<ReturnType<NonNullable<Declaration["more"]>>>;

const platforms = listed(channelNames);
const naming = `ACCOUNT is ${platforms}, or with a name of your own for a second account of a platform: telegram/work.`;

/** For each option of `channels add`, the channels that accept it. */
export async function optionOwners(): Promise<ReadonlyMap<string, readonly string[]>> {
  const owners = new Map<string, string[]>();
  for (const { name, channel } of await loadChannels()) {
    for (const option of Object.keys(channel.options ?? {})) {
      owners.set(option, [...(owners.get(option) ?? []), name]);
    }
  }
  return owners;
}

export async function forAdding(): Promise<More> {
  const channels = await loadChannels();
  const variables = channels.flatMap(({ name, channel: { secret } }) =>
    secret === undefined ? [] : secretVariable({ channel: name, account: DEFAULT_ACCOUNT }, secret),
  );
  const options = channels.flatMap(({ name, channel: { options = {} } }) =>
    Object.entries(options).map(([option, { value: called, summary }]) => [
      option,
      value(called, `${name}: ${summary}`),
    ]),
  );
  return {
    options: Object.fromEntries(options),
    notes: [
      naming,
      `The token is prompted for without echo, verified and written to config.json, which only you can read. It stays out of the file if the environment has it: ${variables.join(", ")}; for telegram/work, DRAGOMAN_TELEGRAM_TOKEN_WORK. Only people you have approved get answers.`,
    ],
    examples: channels.flatMap(({ channel: { examples = [] } }) => examples),
  };
}

export async function forNaming(): Promise<More> {
  return { notes: [naming] };
}

export async function forNormalising(): Promise<More> {
  const forms = (await loadChannels()).map(({ name, channel }) => `${name} (${channel.nativeForm})`);
  return { notes: [`PLATFORM is ${listed(forms)}.`] };
}

export async function forRendering(): Promise<More> {
  const titles = (await loadChannels()).flatMap(({ channel: { title, traits } }) =>
    traits.replyNamesChat === true ? title : [],
  );
  return { notes: [`PLATFORM is ${platforms}. A reply on ${listed(titles)} needs --chat.`] };
}

/** `a, b or c` */
function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
