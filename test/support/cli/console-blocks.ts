/** A command of a document, and what the document says it prints. */
export interface ConsoleCommand {
  /** Of the command in the document, counted from 1. */
  line: number;
  command: string;
  output: string;
}

/**
 * The commands of the `console` blocks of a Markdown text:
 *
 *     ```console
 *     $ a command, continued on the next line \
 *       after a backslash
 *     what it prints, on both outputs
 *     ```
 */
export function consoleCommands(markdown: string): ConsoleCommand[] {
  const commands: ConsoleCommand[] = [];
  let inBlock = false;
  let current: ConsoleCommand | undefined;
  for (const [index, line] of markdown.split("\n").entries()) {
    if (!inBlock) inBlock = line === "```console";
    else if (line === "```") {
      inBlock = false;
      current = undefined;
    } else if (line.startsWith("$ ")) {
      current = { line: index + 1, command: line.slice(2), output: "" };
      commands.push(current);
    } else if (current === undefined) {
      throw new Error(`line ${index + 1}: a console block begins with "$ " and a command`);
    } else if (current.output === "" && current.command.endsWith("\\")) current.command += `\n${line}`;
    else current.output += `${line}\n`;
  }
  return commands;
}
