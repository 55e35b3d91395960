/** An option as `parseArgs` wants it, with what the help says about it. */
export interface Option {
  type: "boolean" | "string";
  short?: string;
  multiple?: true;
  default?: string;
  required?: true;
  /** What the help calls its value. */
  value?: string;
  /** The only values that it can have. */
  choices?: readonly string[];
  /** Its value is a whole number from 1 on. */
  count?: true;
  text: string;
}

/** A command: the parser, the help and the checks of the documents all read this. */
export interface Declaration {
  /** With the name of its group: `sessions list`. */
  name: string;
  summary: string;
  /** Arguments in their order: `IN`, `[IN]` if it can be left out, `[PROMPT…]` for any number. */
  words: readonly string[];
  options: Readonly<Record<string, Option>>;
  notes?: readonly string[];
  examples: readonly string[];
  /** What has to be loaded to be known: the parser and the help add it. */
  more?: () => Promise<Partial<Pick<Declaration, "options" | "notes" | "examples">>>;
}

/** A declaration with what had to be loaded for it. */
export async function completed<D extends Declaration>(declaration: D): Promise<D> {
  const { options, notes = [], examples = [] } = (await declaration.more?.()) ?? {};
  return {
    ...declaration,
    options: { ...declaration.options, ...options },
    notes: [...(declaration.notes ?? []), ...notes],
    examples: [...declaration.examples, ...examples],
  };
}

type Value<O extends Option> = O extends { type: "boolean" }
  ? boolean
  : O extends { multiple: true }
    ? string[]
    : O extends { choices: readonly (infer Choice)[] }
      ? Choice
      : O extends { count: true }
        ? number
        : string;

/** Options as a command reads them: only those that are required, or have a default, are always there. */
export type Values<T extends Declaration["options"]> = {
  [K in keyof T]: Value<T[K]> | (T[K] extends { required: true } | { default: string } ? never : undefined);
} & { "no-color"?: boolean };

type Words<T extends readonly string[]> = T extends readonly [`[${string}…]`]
  ? string[]
  : { -readonly [K in keyof T]: T[K] extends `[${string}` ? string | undefined : string };

/** What follows the name of a command. */
export interface Arguments<D extends Declaration> {
  values: Values<D["options"]>;
  words: Words<D["words"]>;
}

/** A command that does something. */
export interface Action extends Declaration {
  /** Parses what follows its name, loads its code and returns the exit code. */
  run(args: string[]): Promise<number>;
}

/** A command with commands of its own. */
export interface CommandGroup extends Pick<Declaration, "name" | "summary" | "notes" | "examples"> {
  subcommands: readonly Action[];
}

export type Command = Action | CommandGroup;

/** Joins a declaration with its code, which is loaded when the command is run. */
export function action<D extends Declaration>(
  declaration: D,
  load: () => Promise<{ run: (args: Arguments<D>) => Promise<number> }>,
): Action {
  return {
    ...declaration,
    run: async (args) => {
      const { parseCommand } = await import("./arguments.js");
      const parsed = parseCommand(await completed(declaration), args);
      return (await load()).run(parsed);
    },
  };
}
