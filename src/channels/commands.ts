import { cleanName } from "../core/shown/quote.js";
import type { Decision } from "./access.js";
import type { Inbound, Person } from "./types.js";

/** What an owner can ask for in a chat. Each does it to the conversation of that chat, and returns what to say about it. */
export type ChannelCommands = Readonly<Record<"new" | "stop" | "status" | "compact", () => Promise<string>>>;

export type CommandName = keyof ChannelCommands | "help";

const summaries: Readonly<Record<CommandName, string>> = {
  help: "this list",
  new: "begin a new conversation; the old one is kept",
  stop: "stop the answer under way",
  status: "the model, the session and what is going on",
  compact: "make the conversation shorter, keeping what matters",
};

export interface Command {
  name: CommandName;
  /** What stands after it. No command takes anything. */
  rest: string;
}

/**
 * The command a message is, if it is one: of an owner, to us, and nothing but it. Everybody else's text is text, and so is a
 * command that we do not know, or that names another bot.
 *
 * @param me who we are on the platform, for `/stop@mybot` and `@mybot /stop`
 */
export function commandOf(
  inbound: Pick<Inbound, "message" | "place" | "addressed">,
  { isOwner, verdict }: Pick<Decision, "isOwner" | "verdict">,
  me: Person | undefined,
): Command | undefined {
  if (!isOwner || verdict === "ignore") return undefined;
  const { text, named } = withoutMention(inbound.message.Text ?? "", me);
  const [, word = "", after = ""] = /^\/([a-z]+)(?![a-z])(.*)$/is.exec(text.trim()) ?? [];
  const name = word.toLowerCase();
  const isNamed = after.startsWith("@");
  const rest = isNamed ? afterOurName(after, me) : after;
  if (!isCommand(name) || rest === undefined || /^\S/.test(rest)) return undefined;
  const forUs = inbound.place.kind === "direct" || inbound.addressed || named || isNamed;
  return forUs ? { name, rest: rest.trim() } : undefined;
}

/** Does it, and returns what to say. */
export async function runCommand({ name, rest }: Command, commands: ChannelCommands): Promise<string> {
  if (rest !== "") return `/${name} takes nothing after it, so nothing was done. Send /${name} alone.`;
  return name === "help" ? helpText() : commands[name]();
}

function helpText(): string {
  return Object.entries(summaries)
    .map(([name, summary]) => `/${name}: ${summary}`)
    .join("\n");
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(summaries, name);
}

/** `<@123> /stop`, `@mybot /stop` */
function withoutMention(text: string, me: Person | undefined): { text: string; named: boolean } {
  const trimmed = text.trimStart();
  const [mention, id] = /^<@!?(\S+?)>(?=\s)/.exec(trimmed) ?? [];
  const rest =
    mention !== undefined && id === me?.id ? trimmed.slice(mention.length) : afterOurName(trimmed, me);
  return rest === undefined ? { text, named: false } : { text: rest, named: true };
}

/** What follows `@mybot`, if it begins with that. A name can have spaces, and names of bots differ in more than case. */
function afterOurName(text: string, me: Person | undefined): string | undefined {
  if (me?.name === undefined) return undefined;
  const mention = `@${cleanName(me.name.replace(/^@/, ""))}`;
  const isOurs = text.slice(0, mention.length).toLowerCase() === mention.toLowerCase();
  const rest = text.slice(mention.length);
  return isOurs && /^(?:\s|$)/.test(rest) ? rest : undefined;
}
