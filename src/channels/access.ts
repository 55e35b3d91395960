import { idsOf } from "./person-ids.js";
import type { AccessSettings } from "./settings.js";
import type { Inbound } from "./types.js";

/** Somebody who was let in by name: by the settings, or with `dragoman channels approve`. */
export interface Approved {
  id: string;
  owner: boolean;
}

export interface Policy {
  settings: AccessSettings;
  /** Those whose codes were approved. */
  people: readonly Approved[];
}

/**
 * What becomes of a message.
 * - `answer`: the agent answers it.
 * - `context`: it is kept where somebody may ask, and shown with the next message of that place that is answered.
 * - `pair`: its sender is told a code, and nothing else.
 * - `ignore`: nothing at all.
 */
export interface Decision {
  verdict: "answer" | "context" | "pair" | "ignore";
  /** Whether the sender may give commands. */
  isOwner: boolean;
  /** In a group: whether the sender is answered there, when they address us. */
  mayAsk: boolean;
}

/**
 * Who is answered. People are known by the platform's ids, compared as they are: a name proves nothing, and two ids that
 * differ in case are two people.
 */
export function decide(inbound: Pick<Inbound, "place" | "sender" | "addressed">, policy: Policy): Decision {
  const isOwner = isOwnerOf(idsOf(inbound.sender), policy);
  const { place, sender } = inbound;
  const isOpen = policy.settings.allowGroups?.includes(place.chat) === true;
  const mayAsk = place.kind !== "direct" && (isOpen || isKnown(idsOf(sender), policy));
  return {
    verdict: place.kind === "direct" ? directVerdict(inbound, policy) : groupVerdict(inbound, policy, mayAsk),
    isOwner,
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

function isOwnerOf(ids: readonly string[], { settings: { owners = [] }, people }: Policy): boolean {
  return ids.some((id) => owners.includes(id) || people.some((person) => person.owner && person.id === id));
}

function isKnown(ids: readonly string[], policy: Policy): boolean {
  const { allow = [] } = policy.settings;
  const isListed = (id: string) => allow.includes(id) || policy.people.some((person) => person.id === id);
  return ids.some(isListed) || isOwnerOf(ids, policy);
}
