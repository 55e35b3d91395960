import { cleanName } from "../core/shown/quote.js";
import type { Decision } from "./access.js";
import type { Inbound, Person } from "./types.js";

/** The commands an owner can give in a chat. Each acts on the chat's conversation and returns the reply. */
export type ChannelCommands = Readonly<Record<"new" | "stop" | "status" | "compact", () => Promise<string>>>;

export type CommandName = keyof ChannelCommands | "help";

const summaries: Readonly<Record<CommandName, string>> = {
  help: "show this list",
  new: "start a new conversation; the old one is kept",
  stop: "stop the current answer",
  status: "show the model, the session and whether I'm working on an answer",
  compact: "summarise the conversation to make it shorter",
};

export interface Command {
  name: CommandName;
  /** The text after the command. No command accepts arguments. */
  rest: string;
}

/**
 * The command in a message, if an owner sent it to this bot and the message contains nothing else. Unknown commands, commands
 * to another bot and commands from other people are ordinary text.
 *
 * @param me the bot's identity, for `/stop@mybot`, `/stop @mybot` and `@mybot /stop`
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

/** Runs a command and returns the reply. */
export async function runCommand({ name, rest }: Command, commands: ChannelCommands): Promise<string> {
  if (rest !== "")
    return `Please send /${name} on its own, with nothing after it. I haven't done anything yet.`;
  if (name !== "help") return commands[name]();
  const lines = Object.entries(summaries).map(([command, summary]) => `/${command}: ${summary}`);
  return lines.join("\n");
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(summaries, name);
}

/** The text after a leading mention of the bot (`<@123>`, `@mybot`). Names can contain spaces and are compared without case. */
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
