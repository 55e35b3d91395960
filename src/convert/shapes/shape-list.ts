/** The types of each field, by the path of its object. */
export type ShapeTable = Map<string, Map<string, Set<string>>>;

const DEFAULT = "string";
const WIDTH = 110;

/** The table of a list in the form that `KnownShapes` describes. */
export function parseShapes(list: string): ShapeTable {
  const table: ShapeTable = new Map();
  const lines = list.trim().replaceAll(/\n\s+/g, " ").split("\n");
  for (const line of lines.filter((text) => text !== "")) {
    const end = line.indexOf(":");
    const fields = line.slice(end + 1).split(",");
    const parsed = fields.flatMap((field): [string, Set<string>][] => {
      const [name = "", types = DEFAULT] = field.trim().split(" ");
      return name === "" ? [] : [[name, new Set(types.split("|"))]];
    });
    table.set(line.slice(0, end), new Map(parsed));
  }
  return table;
}

/** The list of a table, sorted. */
export function formatShapes(table: ShapeTable): string {
  const paths = [...table].sort(byName);
  return paths.map(([path, fields]) => `${wrap(`${path}: ${fieldsOf(fields)}`)}\n`).join("");
}

function fieldsOf(fields: ReadonlyMap<string, ReadonlySet<string>>): string {
  return [...fields].sort(byName).map(fieldText).join(", ");
}

function fieldText([name, types]: readonly [string, ReadonlySet<string>]): string {
  const text = [...types].sort().join("|");
  return text === DEFAULT ? name : `${name} ${text}`;
}

function wrap(line: string): string {
  const lines = [""];
  for (const part of line.trimEnd().split(/(?<=, )/)) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + part.trimEnd().length > WIDTH) lines.push(`  ${part}`);
    else lines[lines.length - 1] = last + part;
  }
  return lines.map((text) => text.trimEnd()).join("\n");
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
