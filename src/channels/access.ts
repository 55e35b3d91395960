import { idsOf } from "./person-ids.js";
import type { AccessSettings } from "./settings.js";
import type { Inbound } from "./types.js";

/** A person the settings or `dragoman channels approve` let in. */
export interface Approved {
  id: string;
  owner: boolean;
}

export interface Policy {
  settings: AccessSettings;
  /** People whose pairing codes were approved. */
  people: readonly Approved[];
}

/**
 * What to do with a message.
 * - `answer`: the agent answers it.
 * - `context`: kept as context for the next answered message of the chat, if someone in the chat may ask.
 * - `pair`: the sender gets a pairing code and nothing else.
 * - `ignore`: nothing.
 */
export interface Decision {
  verdict: "answer" | "context" | "pair" | "ignore";
  /** Whether the sender may give commands. */
  isOwner: boolean;
  /** In a group: whether the sender gets an answer when they address the bot. */
  mayAsk: boolean;
}

/**
 * Decides who gets an answer. People are identified by the platform's ids, compared exactly: names prove nothing, and ids
 * that differ in case are different people.
 */
export function decide(inbound: Pick<Inbound, "place" | "sender" | "addressed">, policy: Policy): Decision {
  const { place, sender } = inbound;
  const isOpen = policy.settings.allowGroups?.includes(place.chat) === true;
  const mayAsk = place.kind !== "direct" && (isOpen || isKnown(idsOf(sender), policy));
  return {
    verdict: place.kind === "direct" ? directVerdict(inbound, policy) : groupVerdict(inbound, policy, mayAsk),
    isOwner: isOwner(idsOf(inbound.sender), policy),
    mayAsk,
  };
}

type Candidate = Parameters<typeof decide>[0];

function directVerdict({ sender }: Candidate, policy: Policy): Decision["verdict"] {
  const { direct: rule = "pairing" } = policy.settings;
  if (rule === "off") return "ignore";
  if (rule === "open" || isKnown(idsOf(sender), policy)) return "answer";
  return rule === "pairing" ? "pair" : "ignore";
}

function groupVerdict({ addressed }: Candidate, policy: Policy, mayAsk: boolean): Decision["verdict"] {
  const { groups = "mention" } = policy.settings;
  if (groups === "off") return "ignore";
  return mayAsk && (addressed || groups === "always") ? "answer" : "context";
}

/** Whether one of a person's ids is that of an owner, who may give commands and answer permission requests. */
export function isOwner(ids: readonly string[], { settings: { owners = [] }, people }: Policy): boolean {
  return ids.some((id) => owners.includes(id) || people.some((person) => person.owner && person.id === id));
}

function isKnown(ids: readonly string[], policy: Policy): boolean {
  const { allow = [] } = policy.settings;
  const isListed = (id: string) => allow.includes(id) || policy.people.some((person) => person.id === id);
  return ids.some(isListed) || isOwner(ids, policy);
}
