import { isHarmless } from "./risky-arguments.js";

/** Whether a rule's pattern covers a command. */
export type Certainty = "yes" | "no" | "perhaps";

/** One command without quotes and wildcards: the shell runs it literally. */
const LITERAL = /^[\p{L}\p{N}\p{M} \t_./:=@+,%-]*$/u;
/** One command: nothing in it starts another one, reads a variable or writes a file. */
const SIMPLE = /^[\p{L}\p{N}\p{M} \t_./:=@+,%~*?[\]'"-]*$/u;
/** Separates commands, and encloses nested ones. */
const BETWEEN = /[;&|<>(){}`$\n\r]+/;
/** A path segment that leads, or may lead, out of the folder a pattern names: `..`, `.?`, `.[.]`, `.*`. */
const UPWARDS = /(?:^|[ /=:,])\.(?:\.(?:$|[ /])|[?*[])/;
/** Longer commands are not split. */
const LONGEST = 10_000;

/** An allowing rule must be certain of everything that will run. */
export function allowsCommand(pattern: string, command: string): Certainty {
  if (!SIMPLE.test(command)) return "no";
  const plain = normaliseSpaces(command);
  if (!matches(pattern, plain)) return "no";
  // A pattern's star covers harmless arguments only. The pattern's own text is intentional.
  const [run, meant] = [withoutQuotes(plain), withoutQuotes(pattern)];
  if (UPWARDS.test(run) && !UPWARDS.test(meant)) return "no";
  return isHarmless(run, meant) ? "yes" : "no";
}

/** As the shell splits it: quotes are not part of a word, and a quoted space does not end it. */
function withoutQuotes(command: string): string {
  const unquoted = (_: string, single = "", double = "") => `${single}${double}`.replaceAll(" ", "\0");
  return command.replace(/'([^']*)'|"([^"]*)"/g, unquoted);
}

/**
 * A restricting rule searches for its command everywhere it could run:
 *
 *     rm x    cd / && rm x    /bin/rm x    X=1 rm x          yes
 *     env rm x    find . -exec rm x    xargs /bin/rm         perhaps, so the user is asked
 */
export function restrictsCommand(pattern: string, command: string): Certainty {
  if (command.length > LONGEST) return "perhaps";
  const parts = [command, ...command.split(BETWEEN)].map(normaliseSpaces);
  if (parts.some((part) => matches(pattern, part) || matches(pattern, bareCommand(part)))) return "yes";
  const isInside = parts.some((part) => tailsOf(part).some((tail) => matches(pattern, bareCommand(tail))));
  return !isInside && LITERAL.test(command) ? "no" : "perhaps";
}

function normaliseSpaces(command: string): string {
  return command.trim().replace(/\s+/g, " ");
}

/** `LANG=C /usr/bin/rm x` → `rm x` */
function bareCommand(command: string): string {
  const run = command.replace(/^(?:[A-Za-z_]\w*=\S* )+/, "");
  const end = run.indexOf(" ");
  const program = end < 0 ? run : run.slice(0, end);
  return run.slice(program.lastIndexOf("/") + 1);
}

/** The text after each space and each `=`: any of it may be a program that another one runs. */
function tailsOf(command: string): string[] {
  return [...command.matchAll(/[ =]/g)].map(({ index }) => command.slice(index + 1));
}

/** Whether a text matches a pattern, in linear time. */
export function matches(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return pattern === text;
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  return text.length - last.length >= position && text.endsWith(last);
}
