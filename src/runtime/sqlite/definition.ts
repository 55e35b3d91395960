/** Words that begin a constraint, where a column would begin with its name. */
const CONSTRAINTS = new Set(["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]);

const QUOTES = "\"'`";

/**
 * The names of a table's columns.
 *
 * @example
 * columnsIn("CREATE TABLE `part` (`id` text PRIMARY KEY, `data` text NOT NULL)"); // ["id", "data"]
 */
export function columnsIn(definition: string): string[] {
  return itemsIn(definition)
    .filter((item) => !isConstraint(item))
    .map(nameOf);
}

/**
 * The column that is a table's primary key; undefined if several columns are.
 *
 * @example
 * primaryKeyIn("CREATE TABLE `part` (`id` text PRIMARY KEY, `data` text NOT NULL)"); // "id"
 */
export function primaryKeyIn(definition: string): string | undefined {
  const [key] = itemsIn(definition).filter((item) => /\bprimary key\b/i.test(item) && !isConstraint(item));
  return key === undefined ? undefined : nameOf(key);
}

/**
 * The first column of an index; undefined for a partial index, which does not list all rows.
 *
 * @example
 * indexedColumn("CREATE INDEX `part_session_idx` ON `part` (`session_id`)"); // "session_id"
 */
export function indexedColumn(definition: string): string | undefined {
  const [first] = itemsIn(definition);
  const isPartial = definition.trimEnd().at(-1) !== ")";
  return first === undefined || isPartial ? undefined : nameOf(first);
}

function isConstraint(item: string): boolean {
  return CONSTRAINTS.has(/^\w*/.exec(item)?.[0].toUpperCase() ?? "");
}

/** What is between the outermost parentheses, cut at its commas. */
function itemsIn(definition: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let quote = "";
  let item = "";
  for (const character of definition) {
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (QUOTES.includes(character)) quote = character;
    else if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    const isOutermost = quote === "" && depth === 1;
    if ((isOutermost && character === ",") || (depth === 0 && character === ")")) {
      items.push(item.trim());
      item = "";
    } else if (depth > 0 && !(isOutermost && character === "(")) item += character;
  }
  return items;
}

/** A name with or without quotes. */
function nameOf(item: string): string {
  const [, quoted, plain = ""] = /^(?:["'`]([^"'`]*)["'`]|(\w+))/.exec(item) ?? [];
  return quoted ?? plain;
}
