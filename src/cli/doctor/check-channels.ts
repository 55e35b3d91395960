import { type Account, secretVariable, settingsWithSecret } from "../../channels/accounts.js";
import { loadChannel } from "../../channels/registry.js";
import type { Channel } from "../../channels/types.js";
import { readOutboxCounts } from "../../gateway/channels/outbox/outbox-counts.js";
import { PeopleStore } from "../../gateway/channels/people-store.js";
import { MAIN } from "../../runtime/agents.js";
import type { Runtime } from "../../runtime/runtime.js";
import { cellsAt } from "../../runtime/store-address.js";
import { nameOf } from "../channels/account-name.js";
import { counted } from "../terminal/table.js";
import { looseMode } from "./check-home.js";
import { type Finding, failed, ok, problem, warning } from "./finding.js";

/** Whether a chat platform account can work, and who can reach it. */
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
  return findings.length > 0 ? findings : [ok(nameOf(account), "ready")];
}

function checkSecret(account: Account, { secret: field }: Channel): Finding[] {
  if (field === undefined || field in account.settings) return [];
  const variable = secretVariable(account, field);
  return [
    problem(
      nameOf(account),
      `has no ${field}`,
      `add one with \`dragoman channels add ${nameOf(account)}\`, or set ${variable}`,
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
    // Thrown only for packages that cannot be found.
    return false;
  }
}

function checkAgent(account: Account, { agents }: Runtime): Finding[] {
  const { agent = MAIN } = account.settings;
  if (agents.ids.includes(agent)) return [];
  return [
    problem(nameOf(account), `no agent "${agent}" in the config`, "set it to one of the configured agents"),
  ];
}

/** Deliberate settings that are risky enough to be repeated. */
function checkOpenness(account: Account, channel: Channel): Finding[] {
  const open = {
    message: "answers everyone who writes to it, at your expense",
    fix: 'set "direct" to "pairing" unless this is intended',
  };
  const warnings = channel.warnings?.(account.settings) ?? [];
  return [...(account.settings.direct === "open" ? [open] : []), ...warnings].map(({ message, fix }) =>
    warning(nameOf(account), message, fix),
  );
}

async function checkPeople(account: Account, home: string): Promise<Finding[]> {
  const people = new PeopleStore(cellsAt(home), account.channel, account.account);
  try {
    const mode = await looseMode(people.path, 0o077);
    if (mode !== undefined)
      return [problem(nameOf(account), `${people.path} has mode ${mode}`, `chmod 600 "${people.path}"`)];
    const { length } = await people.pending();
    if (length === 0) return [];
    return [
      warning(
        nameOf(account),
        length === 1 ? "1 person is waiting for approval" : `${length} people are waiting for approval`,
        "`dragoman channels approve` lists them",
      ),
    ];
  } catch (error) {
    return [failed(nameOf(account), error, `look at "${people.path}"`)];
  }
}

/** Failed deliveries are reported for as long as the outbox keeps them. */
async function checkOutbox(account: Account, home: string): Promise<Finding[]> {
  const { unknown, refused } = await readOutboxCounts(home, account.channel, account.account);
  const findings: Finding[] = [];
  if (unknown > 0) {
    findings.push(
      warning(
        nameOf(account),
        `${counted(unknown, "part")} of answers may or may not have been delivered`,
        "check the chat; they are not sent again",
      ),
    );
  }
  if (refused > 0) {
    findings.push(
      warning(
        nameOf(account),
        `${counted(refused, "part")} of answers rejected by the platform`,
        "see the gateway log for the reason",
      ),
    );
  }
  return findings;
}
