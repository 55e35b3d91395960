import { wordsOf } from "../../core/error.js";
import type { UserContent } from "../../core/types.js";
import type { McpPrompt } from "../wire.js";
import type { McpServers } from "./servers.js";
import { contentOf, resourceContent, withinLimit } from "./tool-output.js";

const READ_MS = 30_000;
const MAX_MENTIONS = 10;

/** The names of servers with what follows: `@docs:note://1` in a text, `/docs:greet` at its start. */
const MENTION = /(?<![\w@])@([A-Za-z0-9][A-Za-z0-9_.-]*):(\S+)/g;
const COMMAND = /^\/([A-Za-z0-9][A-Za-z0-9_.-]*):(\S+)\s*/;
const CLOSING = new Set(".,;:!?)]}'\"");

/**
 * A message with what it names of the agent's servers: the prompt of `/server:prompt …` in its place, and the resource of each
 * `@server:uri` after it. What cannot be read is stated instead. Undefined if the text names nothing.
 */
export async function expandText(
  servers: McpServers,
  agent: string,
  text: string,
): Promise<UserContent[] | undefined> {
  const names = servers.namesFor(agent);
  const [command, server = "", prompt = ""] = COMMAND.exec(text) ?? [];
  if (command !== undefined && names.includes(server)) {
    return readPrompt(servers, agent, server, prompt, text.slice(command.length).trim());
  }
  const mentions = [...text.matchAll(MENTION)]
    .map(([, name = "", uri = ""]) => ({ name, uri: withoutClosing(uri) }))
    .filter(({ name, uri }) => names.includes(name) && uri !== "");
  const found = [...new Map(mentions.map((mention) => [`${mention.name}:${mention.uri}`, mention])).values()];
  if (found.length === 0) return undefined;
  const read = found.slice(0, MAX_MENTIONS).map(({ name, uri }) => readResource(servers, agent, name, uri));
  const left = found.length - MAX_MENTIONS;
  const note: UserContent[] =
    left > 0
      ? [{ type: "text", text: `[${left} more resources were not read: at most ${MAX_MENTIONS} are]` }]
      : [];
  return [{ type: "text", text }, ...withinLimit((await Promise.all(read)).flat()), ...note];
}

/** A sentence can end right after a mention. */
function withoutClosing(uri: string): string {
  let end = uri.length;
  while (end > 0 && CLOSING.has(uri.charAt(end - 1))) end--;
  return uri.slice(0, end);
}

async function readResource(
  servers: McpServers,
  agent: string,
  name: string,
  uri: string,
): Promise<UserContent[]> {
  try {
    const link = servers.link(agent, name);
    const { contents } = await link.use((client) => client.readResource(uri, { timeoutMs: READ_MS }));
    return contents.map(resourceContent);
  } catch (error) {
    return [{ type: "text", text: `[@${name}:${uri} cannot be read: ${wordsOf(error)}]` }];
  }
}

async function readPrompt(
  servers: McpServers,
  agent: string,
  server: string,
  name: string,
  given: string,
): Promise<UserContent[]> {
  const link = servers.link(agent, server);
  const messages = await link.use(async (client) => {
    const known = (await client.listPrompts()).find((prompt) => prompt.name === name);
    const result = await client.getPrompt(name, argumentsOf(given, known), { timeoutMs: READ_MS });
    return result.messages;
  });
  return withinLimit(
    messages.flatMap(({ role, content }) => {
      const blocks = contentOf(content);
      // A user's message cannot contain an answer; it is quoted.
      return role === "user" ? blocks : [{ type: "text" as const, text: "[assistant]" }, ...blocks];
    }),
  );
}

/** `name=value` with quotes around spaces, or the values in the order of the prompt's arguments; the last one takes the rest. */
function argumentsOf(given: string, prompt: McpPrompt | undefined): Record<string, string> {
  const names = (prompt?.arguments ?? []).map(({ name }) => name);
  const words = [...given.matchAll(/(?:([\w-]+)=)?(?:"([^"]*)"|(\S+))/g)];
  const named = words.flatMap(([, key, quoted, plain]) =>
    key !== undefined && names.includes(key) ? [[key, quoted ?? plain ?? ""] as const] : [],
  );
  if (named.length > 0) return Object.fromEntries(named);
  const values = words.map(([whole, key, quoted, plain]) =>
    key === undefined ? (quoted ?? plain ?? "") : whole,
  );
  const last = names.length - 1;
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const value = index === last ? values.slice(index).join(" ") : values[index];
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
}
