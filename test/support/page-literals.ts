import { parseSync } from "oxc-parser";

interface SyntaxNode {
  type: string;
  start: number;
  [name: string]: unknown;
}

/** Attributes and properties that people read. */
const shown = /^(title|aria-label|aria-description|placeholder|alt|label|hint|button|detail)$/;
const letters = /\p{L}{2}/u;
/** How a sentence or a label of several words begins. */
const sentence = /^\p{Lu}\p{L}*['’]?\p{L}* \S*\p{L}/u;
const ownFormat = /^(toFixed|toLocaleString|toLocaleDateString|toLocaleTimeString)$/;

/**
 * What a file of the pages does not leave to the catalogue: texts for people, dates and numbers that it formats itself, and
 * texts that it reads before the language is loaded. A line for each: `3: "Copy"`.
 */
export function pageLiterals(path: string, source: string): string[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const found: string[] = [];
  const report = (node: SyntaxNode, what: string) =>
    found.push(`${source.slice(0, node.start).split("\n").length}: ${what}`);
  walk(program, []);
  return found;

  function walk(value: unknown, parents: readonly SyntaxNode[]): void {
    if (Array.isArray(value)) {
      for (const one of value) walk(one, parents);
      return;
    }
    if (!isNode(value)) return;
    inspect(value, parents);
    for (const [name, child] of Object.entries(value)) {
      if (name !== "parent") walk(child, [...parents, value]);
    }
  }

  function inspect(node: SyntaxNode, parents: readonly SyntaxNode[]): void {
    const text = textOf(node);
    if (text !== undefined && letters.test(text) && isForPeople(node, text, parents)) {
      report(node, JSON.stringify(text.trim()));
    }
    const name = node.type === "Identifier" ? String(node["name"]) : "";
    if (ownFormat.test(name)) report(node, `${name}, instead of a function of dates.ts or numbers.ts`);
    if (name === "Intl" && !parents.some(({ type }) => type.startsWith("TS"))) {
      report(node, "Intl, instead of a function of dates.ts or numbers.ts");
    }
    const isType = parents.some(({ type }) => type.startsWith("TS") || type === "ImportDeclaration");
    const isInside = parents.some(({ type }) => /Function|PropertyDefinition/.test(type));
    if ((name === "texts" || name === "viewerTexts") && !isType && !isInside)
      report(node, `${name}, before the language is loaded`);
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function textOf(node: SyntaxNode): string | undefined {
  if (node.type === "JSXText" || (node.type === "Literal" && typeof node["value"] === "string")) {
    return String(node["value"]);
  }
  if (node.type !== "TemplateLiteral" || !Array.isArray(node["quasis"])) return undefined;
  return node["quasis"].map((part) => String(part?.value?.cooked)).join("…");
}

/** Whether the value is shown: as text between elements, as a label, or because it reads like a sentence. */
function isForPeople(node: SyntaxNode, text: string, parents: readonly SyntaxNode[]): boolean {
  if (node.type === "JSXText") return !isIn(parents, "code");
  const passesOn =
    /^(ConditionalExpression|LogicalExpression|JSXExpressionContainer|ParenthesizedExpression)$/;
  const at = parents.findLastIndex(({ type }) => !passesOn.test(type));
  const [owner, inner] = [parents[at], parents[at + 1] ?? node];
  // The condition of a choice is not shown.
  if (parents.slice(at + 1).some((parent, index) => parent["test"] === (parents[at + 2 + index] ?? node))) {
    return false;
  }
  if (owner?.type === "JSXElement" || owner?.type === "JSXFragment") return inner !== node;
  if (owner?.type === "JSXAttribute") return shown.test(nameOf(owner["name"]));
  if (owner?.type === "Property" && owner["value"] === inner && shown.test(nameOf(owner["key"]))) return true;
  return sentence.test(text) && !parents.some(({ type }) => type.startsWith("TS"));
}

function isIn(parents: readonly SyntaxNode[], element: string): boolean {
  const opening = parents.findLast(({ type }) => type === "JSXElement")?.["openingElement"];
  return isNode(opening) && nameOf(opening["name"]) === element;
}

function nameOf(node: unknown): string {
  return isNode(node) ? String(node["name"]) : "";
}
