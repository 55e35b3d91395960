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
 * @param me who we are on the platform, for `/stop@mybot`, `/stop @mybot` and `@mybot /stop`
 */
export function commandOf(
  inbound: Pick<Inbound, "message" | "place" | "addressed">,
  { isOwner, verdict }: Pick<Decision, "isOwner" | "verdict">,
  me: Person | undefined,
): Command | undefined {
  if (!isOwner || verdict === "ignore") return undefined;
  const { Text = "" } = inbound.message;
  const mentioned = afterMention(Text, me);
  const text = (mentioned ?? Text).trim();
  const [, word = "", after = ""] = /^\/([a-z]+)(?![a-z])(.*)$/is.exec(text) ?? [];
  const name = word.toLowerCase();
  const isNamed = /^\s*<?@/.test(after);
  const rest = isNamed ? afterMention(after, me) : after;
  if (!isCommand(name) || rest === undefined || /^\S/.test(rest)) return undefined;
  const forUs = inbound.place.kind === "direct" || inbound.addressed || mentioned !== undefined || isNamed;
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

/** What follows a mention of us (`<@123>`, `@mybot`) that a text begins with. A name can have spaces, and names of bots differ in more than case. */
function afterMention(text: string, me: Person | undefined): string | undefined {
  if (me === undefined) return undefined;
  const trimmed = text.trimStart();
  const [byId, id] = /^<@!?(\S+?)>/.exec(trimmed) ?? [];
  const byName = [me.name, ...(me.otherNames ?? [])].flatMap((name) =>
    name === undefined ? [] : [`@${cleanName(name.replace(/^@/, ""))}`],
  );
  const mentions = byId !== undefined && id === me.id ? [byId] : byName;
  const rests = mentions
    .filter((mention) => trimmed.slice(0, mention.length).toLowerCase() === mention.toLowerCase())
    .map((mention) => trimmed.slice(mention.length));
  return rests.find((rest) => /^(?:\s|$)/.test(rest));
}
