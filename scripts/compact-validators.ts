/** What every generated module starts with. */
const FAIL =
  "function fail(errors, instancePath, keyword, params){const error = {instancePath,keyword,params};if(errors === null){return [error];}errors.push(error);return errors;}";

/** What must not be left: it would mean that the generator writes something that is not known here. */
const LEFTOVER = /schemaPath|parentData|rootData|\bschema\d+\b/;

/**
 * Halves the code that Ajv generates, because its modules are loaded at every start. A function adds
 * the errors, which have no path in the schema; a validator is passed the place of its value and
 * nothing else; and of the schemas only the parts that the code reads are left.
 */
export function compactValidators(code: string): string {
  const schemas = new Map<string, unknown>();
  const withoutSchemas = code.replace(
    /const (schema\d+) = (.*?);(?=function |const |export |$)/g,
    (_whole, name, literal) => {
      schemas.set(name, JSON.parse(literal));
      return "";
    },
  );
  const names: string[] = [];
  const compact = withoutSchemas
    .replace(/\/\*# sourceURL="[^"]*" \*\/;/g, "")
    .replace(
      /const (err\d+) = \{instancePath(?::(.*?))?,schemaPath:"(?:[^"\\]|\\.)*",keyword:("\w+"),params:(\{.*?\})\};if\(vErrors === null\)\{vErrors = \[\1\];\}else \{vErrors\.push\(\1\);\}/g,
      (_whole, _name, place = "instancePath", keyword, params) =>
        `vErrors = fail(vErrors, ${place}, ${keyword}, ${params});`,
    )
    .replace(/\{instancePath="", parentData, parentDataProperty, rootData=data\}=\{\}/g, 'instancePath=""')
    .replace(
      /\{instancePath(?::((?:(?!,parentData).)*))?,parentData(?:(?!,rootData\}).)*,rootData\}/g,
      (_whole, place = "instancePath") => place,
    )
    .replace(/(schema\d+)((?:\.\w+|\[(?:\d+|"[^"]*")\])+)/g, (_whole, name, path) => {
      const part = partAt(schemas.get(name), path);
      if (!path.endsWith(".properties")) return JSON.stringify(part);
      // Asked only for its keys, at each property of a value.
      const keys = Object.keys(Object(part)).map((key) => `${JSON.stringify(key)}:0`);
      names.push(`const names${names.length} = {${keys}};`);
      return `names${names.length - 1}`;
    });
  const leftover = LEFTOVER.exec(compact);
  if (leftover !== null) {
    const around = compact.slice(Math.max(0, leftover.index - 200), leftover.index + 200);
    throw new Error(`the generated validators contain code that cannot be shortened: … ${around} …`);
  }
  return compact.replace('"use strict";', `"use strict";${FAIL}${names.join("")}`);
}

/** The value at `.properties.detail.enum` or `.oneOf[1]`. */
function partAt(schema: unknown, path: string): unknown {
  const keys = [...path.matchAll(/\.(\w+)|\[("[^"]*"|\d+)\]/g)];
  return keys.reduce<unknown>((value, [, key, index]) => {
    const part: unknown = Reflect.get(Object(value), key ?? String(JSON.parse(index ?? "")));
    if (part === undefined) throw new Error(`no schema has a part at ${path}`);
    return part;
  }, schema);
}
