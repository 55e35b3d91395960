import { apiNames } from "../dialects/registry.js";

/** An option without a value. */
export function flag(text: string) {
  return { type: "boolean", text } as const;
}

/** An option with a value, shown as `name` in the help. */
export function value(name: string, text: string) {
  return { type: "string", value: name, text } as const;
}

/** Every command accepts these. */
export const globalOptions = {
  "no-color": flag("disable colours (also: NO_COLOR=1)"),
  help: { ...flag("show this help"), short: "h" },
} as const;

/** An option whose value is a positive integer. */
export function count(text: string) {
  return { ...value("N", text), count: true } as const;
}

/** Options shared by several commands. */
export const sourceOfSession = value(
  "NAME",
  "look for a session only in this source (default: all, the home first)",
);

export const home = value("DIR", "home folder (default: $DRAGOMAN_HOME, or ~/.dragoman)");
export const from = value("DIALECT", "dialect of the input (default: detected)");
export const output = {
  ...value("OUT", "output file, written atomically (default: stdout)"),
  short: "o",
} as const;
export const leaf = value("ID", "for branched transcripts: use the branch ending at this message");
export const conversation = value(
  "C",
  "for files with several conversations: the one to use, by id, title or number",
);
export const title = value("T", "title of the session");
export const model = value("P/M", "provider and model, such as anthropic/claude-opus-5-5");
export const provider = {
  ...value("PROVIDER", "also report what a provider would reject"),
  choices: apiNames,
} as const;
export const to = {
  ...value("DIALECT", "dialect to write; `dragoman dialects` lists them"),
  required: true,
} as const;

export const transferOptions = {
  to,
  output,
  losses: value("FILE", "write all losses to FILE: a JSON array of {at, what, why, severity}"),
  strict: flag("exit with code 1 if anything was lost (OUT is still written)"),
  escrow: flag("keep what the target cannot represent in an extra field, so that the round trip is exact"),
} as const;

/** `--json`, with the shape of its output. */
export function json(shape: string) {
  return flag(`print JSON: ${shape}`);
}
