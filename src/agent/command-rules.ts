/** Whether a rule's pattern covers a command. */
export type Certainty = "yes" | "no" | "perhaps";

/** One command without quotes and wildcards: what it says is what is run. */
const LITERAL = /^[\p{L}\p{N}\p{M} \t_./:=@+,%-]*$/u;
/** One command: nothing in it begins another, reads a variable or writes a file. */
const SIMPLE = /^[\p{L}\p{N}\p{M} \t_./:=@+,%~*?[\]'"-]*$/u;
/** What can stand between commands, and around those inside others. */
const BETWEEN = /[;&|<>(){}`$\n\r]+/;
/** A part of a path that leads out of the folder that a pattern names, or may: `..`, `.?`, `.[.]`, `.*`. */
const UPWARDS = /(?:^|[ /=:,])\.(?:\.(?:$|[ /])|[?*[])/;
/** Options with which harmless programs run others, or write where they are told to: `find -exec`, `tar --to-command`. */
const POWERFUL: readonly string[] = [
  ...["-exec", "-execdir", "-ok", "-okdir", "-delete", "-fls", "-fprint", "-fprint0", "-fprintf"],
  ...["--checkpoint-action", "--to-command", "--use-compress-program", "--compress-program", "--exec"],
  ...["--output", "--ext-diff", "--open-files-in-pager", "--upload-pack", "--receive-pack", "--pager"],
  ...["--config-env", "--init-command", "--eval", "--rsh"],
];
/** The same in one letter: `sort -o FILE`, `tar -I PROGRAM`, `git grep -OPROGRAM`. */
const POWERFUL_LETTERS = new Map([
  ["sort", /^-[A-Za-z]*o/],
  ["tar", /^-[A-Za-z]*[IF]/],
  ["git", /^-[A-Za-z]*O/],
  ["rsync", /^-[A-Za-z]*e/],
  ["curl", /^-[A-Za-z]*[oOK]/],
  ["wget", /^-[A-Za-z]*[OP]/],
]);
/** Longer commands are not taken apart. */
const LONGEST = 10_000;

/** An allowing rule must be sure of everything that will run. */
export function allowsCommand(pattern: string, command: string): Certainty {
  if (!SIMPLE.test(command)) return "no";
  const plain = plainly(command);
  if (!matches(pattern, plain)) return "no";
  // The star of a pattern stands for harmless arguments. What is in the pattern itself was meant.
  const [run, meant] = [withoutQuotes(plain), withoutQuotes(pattern)];
  if (UPWARDS.test(run) && !UPWARDS.test(meant)) return "no";
  const given = new Set(meant.split(" ").map(optionOf));
  const [program = "", ...words] = run.split(" ");
  const letters = POWERFUL_LETTERS.get(program.slice(program.lastIndexOf("/") + 1));
  const isHarmless = (word: string) => !isPowerful(word) && letters?.test(word) !== true;
  return words.every((word) => given.has(optionOf(word)) || isHarmless(word)) ? "yes" : "no";
}

/** Programs accept the beginning of a long option for the whole, and one hyphen or two. */
function isPowerful(word: string): boolean {
  const option = optionOf(word);
  if (POWERFUL.includes(option) || POWERFUL.includes(`-${option}`)) return true;
  return /^--./.test(option) && POWERFUL.some((one) => one.startsWith(option));
}

/** `--output=x` → `--output` */
function optionOf(word: string): string {
  const [option = ""] = word.split("=");
  return option;
}

/** As the shell runs it: quotes inside a word are no part of the word. */
function withoutQuotes(command: string): string {
  return command.replace(/['"]/g, "");
}

/**
 * A restricting rule looks for its command wherever it could run:
 *
 *     rm x    cd / && rm x    /bin/rm x    X=1 rm x          yes
 *     env rm x    find . -exec rm x    xargs /bin/rm         perhaps, and people are asked
 */
export function restrictsCommand(pattern: string, command: string): Certainty {
  if (command.length > LONGEST) return "perhaps";
  const parts = [command, ...command.split(BETWEEN)].map(plainly);
  if (parts.some((part) => matches(pattern, part) || matches(pattern, bareCommand(part)))) return "yes";
  const isInside = parts.some((part) => tailsOf(part).some((tail) => matches(pattern, bareCommand(tail))));
  return !isInside && LITERAL.test(command) ? "no" : "perhaps";
}

function plainly(command: string): string {
  return command.trim().replace(/\s+/g, " ");
}

/** `LANG=C /usr/bin/rm x` → `rm x` */
function bareCommand(command: string): string {
  const run = withoutAssignments(command);
  const end = run.indexOf(" ");
  const program = end < 0 ? run : run.slice(0, end);
  return run.slice(program.lastIndexOf("/") + 1);
}

function withoutAssignments(command: string): string {
  return command.replace(/^(?:[A-Za-z_]\w*=\S* )+/, "");
}

/** What follows each word: any of them may be a program that another one runs. */
function tailsOf(command: string): string[] {
  const tails: string[] = [];
  for (let at = command.indexOf(" "); at >= 0; at = command.indexOf(" ", at + 1)) {
    tails.push(command.slice(at + 1));
  }
  return tails;
}

/** Whether a text is what a pattern says, in time that grows with both and no faster. */
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
