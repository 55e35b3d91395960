import { type Account, secretVariable, settingsWithSecret } from "../../channels/accounts.js";
import { loadChannel } from "../../channels/registry.js";
import type { Channel } from "../../channels/types.js";
import { readOutboxCounts } from "../../gateway/channels/outbox/outbox-counts.js";
import { PeopleStore } from "../../gateway/channels/people-store.js";
import { MAIN } from "../../runtime/agents.js";
import type { Runtime } from "../../runtime/runtime.js";
import { nameOf } from "../channels/account-name.js";
import { counted } from "../terminal/table.js";
import { lax } from "./check-home.js";
import { type Finding, failed, ok, problem, warning } from "./finding.js";

/** Whether an account of a chat platform can work, and is as closed as it should be. */
export async function checkChannel(account: Account, runtime: Runtime): Promise<Finding[]> {
  const channel = await loadChannel(account.channel);
  const settings = settingsWithSecret(account, channel, process.env);
  const findings = [
    ...checkSecret({ ...account, settings }, channel),
    ...checkClient(account, channel),
    ...checkAgent(account, runtime),
    ...checkOpenness(account, channel),
    ...(await checkPeople(account, runtime.home)),
    ...(await checkOutbox(account, runtime.home)),
  ];
  return findings.length > 0 ? findings : [ok(nameOf(account), "has what it needs")];
}

function checkSecret(account: Account, { secret: field }: Channel): Finding[] {
  if (field === undefined || field in account.settings) return [];
  const variable = secretVariable(account, field);
  return [
    problem(
      nameOf(account),
      `has no ${field}`,
      `give it one with \`dragoman channels add ${nameOf(account)}\`, or set ${variable}`,
    ),
  ];
}

function checkClient(account: Account, { packages }: Channel): Finding[] {
  return packages
    .filter(({ name }) => !isInstalled(name))
    .map(({ name, install = name }) =>
      problem(nameOf(account), `the package ${name} is missing`, `npm install ${install}`),
    );
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    // It throws for what cannot be found, and for nothing else.
    return false;
  }
}

function checkAgent(account: Account, { agents }: Runtime): Finding[] {
  const { agent = MAIN } = account.settings;
  if (agents.ids.includes(agent)) return [];
  return [problem(nameOf(account), `there is no agent "${agent}"`, "name one of the configuration's agents")];
}

/** Nothing that is asked for is wrong, but some of it should not be forgotten. */
function checkOpenness(account: Account, channel: Channel): Finding[] {
  const open = {
    message: "answers everybody who writes to it, at your expense",
    fix: 'set "direct" to "pairing" unless that is meant',
  };
  const warnings = channel.warnings?.(account.settings) ?? [];
  return [...(account.settings.direct === "open" ? [open] : []), ...warnings].map(({ message, fix }) =>
    warning(nameOf(account), message, fix),
  );
}

async function checkPeople(account: Account, home: string): Promise<Finding[]> {
  const people = new PeopleStore(home, account.channel, account.account);
  try {
    const mode = await lax(people.path, 0o077);
    if (mode !== undefined)
      return [problem(nameOf(account), `${people.path} has mode ${mode}`, `chmod 600 "${people.path}"`)];
    const { length } = await people.pending();
    if (length === 0) return [];
    return [
      warning(
        nameOf(account),
        length === 1 ? "somebody waits with a code" : `${length} people wait with a code`,
        "`dragoman channels approve` shows who",
      ),
    ];
  } catch (error) {
    return [failed(nameOf(account), error, `look at "${people.path}"`)];
  }
}

/** What went wrong with answers stays told for as long as the outbox remembers it. */
async function checkOutbox(account: Account, home: string): Promise<Finding[]> {
  const { unknown, refused } = await readOutboxCounts(home, account.channel, account.account);
  const findings: Finding[] = [];
  if (unknown > 0) {
    findings.push(
      warning(
        nameOf(account),
        `${counted(unknown, "part")} of answers may have arrived, or not`,
        "look at the chat; they are not sent again",
      ),
    );
  }
  if (refused > 0) {
    findings.push(
      warning(
        nameOf(account),
        `${counted(refused, "part")} of answers not taken by the platform`,
        "the log of the gateway says why",
      ),
    );
  }
  return findings;
}
