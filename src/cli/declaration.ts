/** An option for `parseArgs`, with its help text. */
export interface Option {
  type: "boolean" | "string";
  short?: string;
  multiple?: true;
  default?: string;
  required?: true;
  /** The placeholder for its value in the help. */
  value?: string;
  /** The allowed values. */
  choices?: readonly string[];
  /** Its value is a positive integer. */
  count?: true;
  text: string;
}

/** A command, as the parser, the help and the documentation tests read it. */
export interface Declaration {
  /** Includes its group: `sessions list`. */
  name: string;
  summary: string;
  /** Arguments in order: `IN`, `[IN]` if optional, `[PROMPT…]` for any number. */
  words: readonly string[];
  options: Readonly<Record<string, Option>>;
  notes?: readonly string[];
  examples: readonly string[];
  /** Additions that need a module; loaded by the parser and the help. */
  more?: () => Promise<Partial<Pick<Declaration, "options" | "notes" | "examples">>>;
}

/** A declaration with its `more` loaded. */
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

/** Options as a command reads them: only required ones and those with a default are always set. */
export type Values<T extends Declaration["options"]> = {
  [K in keyof T]: Value<T[K]> | (T[K] extends { required: true } | { default: string } ? never : undefined);
} & { "no-color"?: boolean };

type Words<T extends readonly string[]> = T extends readonly [`[${string}…]`]
  ? string[]
  : { -readonly [K in keyof T]: T[K] extends `[${string}` ? string | undefined : string };

export interface Arguments<D extends Declaration> {
  values: Values<D["options"]>;
  words: Words<D["words"]>;
}

/** A command that can be run. */
export interface Action extends Declaration {
  /** Parses the arguments, loads the command's code and returns the exit code. */
  run(args: string[]): Promise<number>;
}

/** A command with subcommands. */
export interface CommandGroup extends Pick<Declaration, "name" | "summary" | "notes" | "examples"> {
  subcommands: readonly Action[];
  /** Whether `list` runs without a subcommand (default: the help is shown). */
  listsByDefault?: true;
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
