import type { Option } from "../declaration.js";
import { type Candidate, FILES } from "./candidate.js";

const MAX_SESSIONS = 50;

/** What an option's value or an argument can be, by its name: `--model`, `SESSION`, `[IN]`. */
export async function candidatesFor(
  name: string,
  option: Option | undefined,
  before: readonly string[],
): Promise<Candidate[]> {
  if (option?.choices !== undefined) return option.choices.map((value) => ({ value }));
  const kind = name.replace(/^\[|…?\]$/g, "");
  const home = optionValue("--home", before);
  switch (kind) {
    case "model":
    case "MODEL":
      return models(home);
    case "agent":
      return agents(home);
    case "provider":
    case "PROVIDER":
      return providers(home);
    case "to":
    case "from":
      return dialects();
    case "source":
      return sources();
    case "session":
    case "SESSION":
    case "ID":
      return sessions(home);
    case "FILE|SESSION":
      return [...(await sessions(home)), FILES];
    case "SHELL":
      return ["bash", "zsh", "fish"].map((value) => ({ value }));
    case "PATH":
      return settings();
    case "IN":
    case "FILE":
    case "home":
    case "output":
    case "losses":
    case "html":
    case "workspace":
    case "cwd":
    case "PROMPT":
      return [FILES];
    default:
      return [];
  }
}

function optionValue(option: string, words: readonly string[]): string | undefined {
  const at = words.indexOf(option);
  if (at !== -1) return words[at + 1];
  return words.find((word) => word.startsWith(`${option}=`))?.slice(option.length + 1);
}

async function configAt(asked: string | undefined) {
  const { homeFolder, readConfig } = await import("../../runtime/config.js");
  return readConfig(homeFolder(process.env, asked), process.env);
}

/** Only what is known without asking a server. */
async function models(home: string | undefined): Promise<Candidate[]> {
  const { knownModelNames } = await import("../../runtime/model-directory.js");
  return knownModelNames(await configAt(home)).map((value) => ({ value }));
}

async function agents(home: string | undefined): Promise<Candidate[]> {
  const { agents: configured = {} } = await configAt(home);
  return [...new Set(["main", ...Object.keys(configured)])].map((value) => ({
    value,
    ...(configured[value]?.description === undefined ? {} : { text: configured[value].description }),
  }));
}

async function providers(home: string | undefined): Promise<Candidate[]> {
  const { endpoints } = await import("../../providers/endpoints.js");
  const { providers: configured = {} } = await configAt(home);
  return [...new Set([...Object.keys(endpoints), ...Object.keys(configured)])].map((value) => ({ value }));
}

async function dialects(): Promise<Candidate[]> {
  const { dialects: listed } = await import("../../convert/dialects.js");
  return (await listed()).map(({ name, title }) => ({ value: name, text: title }));
}

async function sources(): Promise<Candidate[]> {
  const { programs } = await import("../../runtime/sources/programs.js");
  return ["all", "home", ...Object.keys(programs)].map((value) => ({ value }));
}

async function sessions(asked: string | undefined): Promise<Candidate[]> {
  const { atHome } = await import("../sessions/at-home.js");
  const found = await atHome(asked, ({ catalogue }) => catalogue.list({ archived: false }));
  return found.slice(0, MAX_SESSIONS).map(({ id, title = "" }) => ({ value: id, text: title }));
}

function settings(): Candidate[] {
  return [
    "model",
    "agents.",
    "providers.",
    "models.",
    "aliases.",
    "views",
    "sources.",
    "mcpServers.",
    "gateway.",
    "channels.",
  ].map((value) => ({ value }));
}
