import { DEFAULT_ACCOUNT, secretVariable } from "../../channels/accounts.js";
import { channelNames, loadChannels } from "../../channels/registry.js";

/** What help texts say of the channels that there are: words, or lines where there is one for each. */
export async function declaredHelp() {
  const channels = await loadChannels();
  const platforms = listed(channelNames);
  return {
    platforms,
    names: [
      `ACCOUNT is ${platforms}; with a name of your own behind it where there are several of`,
      "one kind: telegram/work.",
    ],
    options: channels.flatMap(({ name, channel: { options = {} } }) =>
      Object.entries(options).map(([option, { value, summary }]) =>
        row(`--${option} ${value}`, `${name}: ${summary}`),
      ),
    ),
    examples: channels.flatMap(({ channel: { examples = [] } }) => examples.map((line) => `  ${line}`)),
    variables: channels
      .flatMap(({ name, channel: { secret } }) =>
        secret === undefined ? [] : secretVariable({ channel: name, account: DEFAULT_ACCOUNT }, secret),
      )
      .join(", "),
    forms: channels.map(({ name, channel: { nativeForm } }) => row(name, nativeForm)),
    /** Where a reply names its chat. */
    replying: listed(
      channels.flatMap(({ channel: { title, traits } }) => (traits.replyNamesChat === true ? title : [])),
    ),
  };
}

function row(term: string, text: string): string {
  return `  ${term.padEnd(18)}${text}`;
}

/** `a, b or c` */
function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
