/** A command's code: takes what follows its name, returns the exit code. */
interface CommandModule {
  run(args: string[]): Promise<number>;
}

export interface Command {
  name: string;
  usage: string;
  summary: string;
  /** Lines of the help text after the usage: options and examples. */
  details: string[];
  load(): Promise<CommandModule>;
}

/** Every command, in the order the help lists them. */
export const commands: Command[] = [
  {
    name: "tour",
    usage: "tour",
    summary: "see what works, on your own machine, without keys or services",
    details: ["Examples:", "  dragoman tour"],
    load: () => import("./tour.js"),
  },
];
