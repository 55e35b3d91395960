import { type Account, secretField, secretVariable } from "../../channels/accounts.js";
import type { ChannelName } from "../../channels/types.js";
import { outboxAtRest } from "../../gateway/channels/outbox-at-rest.js";
import { PeopleStore } from "../../gateway/channels/people-store.js";
import { isLoopback } from "../../gateway/settings.js";
import { MAIN } from "../../runtime/agents.js";
import type { Runtime } from "../../runtime/runtime.js";
import { nameOf } from "../channels/account-name.js";
import { counted } from "../table.js";
import { lax } from "./check-home.js";
import { type Finding, failed, ok, problem, warning } from "./finding.js";

/** What has to be installed for a platform; npm takes an older Baileys unless it is told. */
const clients: Readonly<Record<ChannelName, readonly { name: string; install?: string }[]>> = {
  telegram: [{ name: "grammy" }],
  discord: [{ name: "@discordjs/rest" }, { name: "@discordjs/ws" }],
  whatsapp: [{ name: "baileys", install: "baileys@7.0.0-rc14" }],
  webhook: [],
};

/** Whether an account of a chat platform can work, and is as closed as it should be. */
export async function checkChannel(account: Account, runtime: Runtime): Promise<Finding[]> {
  const findings = [
    ...checkSecret(account),
    ...checkClient(account),
    ...checkAgent(account, runtime),
    ...checkOpenness(account),
    ...(await checkPeople(account, runtime.home)),
    ...(await checkOutbox(account, runtime.home)),
  ];
  return findings.length > 0 ? findings : [ok(nameOf(account), "has what it needs")];
}

function checkSecret(account: Account): Finding[] {
  const field = secretField(account.channel);
  if (field === undefined || field in account.settings) return [];
  const variable = secretVariable(account.channel, account.account);
  return [
    problem(
      nameOf(account),
      `has no ${field}`,
      `give it one with \`dragoman channels add ${nameOf(account)}\`, or set ${variable}`,
    ),
  ];
}

function checkClient(account: Account): Finding[] {
  return clients[account.channel]
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
function checkOpenness(account: Account): Finding[] {
  const findings: Finding[] = [];
  if (account.settings.direct === "open") {
    findings.push(
      warning(
        nameOf(account),
        "answers everybody who writes to it, at your expense",
        'set "direct" to "pairing" unless that is meant',
      ),
    );
  }
  const url = account.channel === "webhook" ? account.settings.url : undefined;
  if (url !== undefined && URL.canParse(url) && !isEncrypted(new URL(url))) {
    findings.push(
      warning(nameOf(account), "what it posts is signed, but not encrypted", "use an address of https"),
    );
  }
  return findings;
}

function isEncrypted({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || isLoopback(hostname.replace(/^\[|\]$/g, ""));
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
  const { unknown, refused } = await outboxAtRest(home, account.channel, account.account);
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
