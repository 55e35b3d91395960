import { accountsOf, secretField, secretIn, secretVariable } from "../../channels/accounts.js";
import type { Person } from "../../channels/types.js";
import { setIn } from "../../core/json/edit.js";
import { MAIN } from "../../runtime/agents.js";
import { changeConfig } from "../../runtime/config.js";
import { usageError } from "../arguments.js";
import type { Arguments } from "../declaration.js";
import { writeResult } from "../sessions/result.js";
import { tell } from "../tell.js";
import { type AccountName, accountName, nameOf } from "./account-name.js";
import { channelsAt, findAccount } from "./at-home.js";
import type { addCommand } from "./commands.js";
import { linkAccount } from "./link-account.js";
import { nextSteps } from "./next-steps.js";
import { askHidden, secretFromInput } from "./secret-input.js";
import { whoami } from "./whoami.js";

export async function run({ values, words: [file] }: Arguments<typeof addCommand>): Promise<number> {
  const name = accountName(file);
  if (values.url !== undefined && name.channel !== "webhook") {
    throw usageError("--url is for webhook only");
  }
  if (values.phone !== undefined && name.channel !== "whatsapp") {
    throw usageError("--phone is for whatsapp only");
  }
  const { home, accounts } = await channelsAt(values.home);
  const isNew = !accounts.some(
    ({ channel, account }) => channel === name.channel && account === name.account,
  );
  const secret = await secretOf(name, values["token-stdin"] === true);
  const given: Record<string, string> = {
    ...(values.url === undefined ? {} : { url: values.url }),
    ...(values.phone === undefined ? {} : { phone: values.phone.replace(/[\s+()-]/g, "") }),
    ...(values.agent === undefined ? {} : { agent: values.agent }),
    ...secret.stored,
  };
  const path = ["channels", name.channel, name.account] as const;
  let me: Person | undefined;
  await changeConfig(
    home,
    (text) =>
      isNew
        ? setIn(text, path, given)
        : Object.entries(given).reduce(
            (edited, [field, value]) => setIn(edited, [...path, field], value),
            text,
          ),
    async (config) => {
      const { agent = MAIN } = values;
      if (agent !== MAIN && !Object.hasOwn(config.agents ?? {}, agent)) {
        throw usageError(`the configuration has no agent "${agent}"`);
      }
      if (values["no-test"] === true) return;
      me = await whoami(findAccount(accountsOf(config.channels, process.env), name));
    },
  );
  if (secretField(name.channel) === undefined && values["no-test"] !== true)
    me = await linkAccount(home, name);
  await writeResult(values.json, "", { ...name, ...(me === undefined ? {} : { me }) });
  for (const line of nextSteps(name, { me, isNew, kept: secret.kept })) tell(line);
  return 0;
}

interface Secret {
  /** What goes into the file, by its field. */
  stored: Record<string, string>;
  /** The variable it stays in. */
  kept: string | undefined;
}

async function secretOf(name: AccountName, fromInput: boolean): Promise<Secret> {
  const field = secretField(name.channel);
  const variable = secretVariable(name.channel, name.account);
  if (field === undefined || variable === undefined) return { stored: {}, kept: undefined };
  const isSet = secretIn(process.env, name.channel, name.account) !== undefined;
  if (isSet && fromInput) {
    throw usageError(`${variable} is set and overrides the stored token: unset it, or drop --token-stdin`);
  }
  if (isSet) return { stored: {}, kept: variable };
  if (!fromInput && process.stdin.isTTY !== true) {
    throw usageError(`the ${field} is missing: pipe it in with --token-stdin, or set ${variable}`);
  }
  const secret = fromInput
    ? await secretFromInput()
    : await askHidden(`The ${field} of ${nameOf(name)} (not shown): `);
  if (!/^\P{C}+$/u.test(secret)) throw usageError(`the ${field} has to be one line of text`);
  return { stored: { [field]: secret }, kept: undefined };
}
