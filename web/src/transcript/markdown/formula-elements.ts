import { createElement, Fragment, type ReactNode } from "react";
import temml from "temml";
import { visible } from "../visible-text.js";

export { copyFormulasAsSource } from "./copy-formulas.js";

/** Larger and deeper formulas are shown as source. */
const LONGEST = 5_000;
const MOST_ELEMENTS = 5_000;
const MAX_DEPTH = 100;
/** In em, ex and similar units: what is larger leaves the formula's place on the page. */
const LONGEST_LENGTH = 40;

/**
 * Commands whose cost the library does not limit: a short definition that is used often makes millions of elements, and the
 * others build what is in them several times, at each level of nesting.
 */
const costly =
  /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand|(?:math)?[lrc]lap|cancelto|equilibrium(?:Left|Right)|tripleDash[A-Za-z]*)(?![A-Za-z@])/;
/** `\begin{alignat}{2}` has a number of columns, which the library does not limit either. */
const environment = /\\begin(?![A-Za-z@])(?:\{([A-Za-z]+\*?)\}(\{\d{1,2}\})?)?/g;

const names = new Set(
  "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd mstyle mpadded mphantom menclose".split(
    " ",
  ),
);
const plainAttributes = new Set(
  "accent accentunder columnalign display displaystyle fence form largeop mathvariant movablelimits notation scriptlevel separator stretchy symmetric".split(
    " ",
  ),
);
const lengthAttributes = new Set(
  "depth height linethickness lspace maxsize minsize rspace rowspacing voffset width".split(" "),
);
/** Colours are the page's: a formula cannot hide in its background. */
const styles = new Set(
  "border borderBottom borderLeft borderRight borderTop fontWeight marginLeft mathDepth padding paddingBottom paddingLeft paddingRight paddingTop textAlign width".split(
    " ",
  ),
);
/** `\\llap`, `\\reflectbox`: without these the formula has another meaning, and with them it can cover the page. */
const refusedStyles = new Set(["position", "transform"]);
/** Between a function and its argument, or two factors: screen readers read them. */
const invisibleOperator = /^[\u2061-\u2064]$/;
const className = /^(?:tml|wbk|chr)-[a-z0-9-]+$|^(?:upstrike|downstrike|sout)$/;

/**
 * A formula as MathML elements; undefined if it is not one that can be shown whole.
 *
 *     formulaElements("\\sqrt{2}", false) // <math><msqrt><mn>2</mn></msqrt></math>
 */
export function formulaElements(text: string, display: boolean): ReactNode | undefined {
  if (text.length > LONGEST || isCostly(text)) return undefined;
  try {
    const tree: unknown = temml.__renderToMathMLTree(text, {
      displayMode: display,
      throwOnError: true,
      maxExpand: 1_000,
      trust: refuse,
    });
    return new Builder().build(tree, 0);
  } catch {
    // A syntax error, a command that needs trust, or nesting too deep for the stack.
    return undefined;
  }
}

function isCostly(text: string): boolean {
  if (costly.test(text)) return true;
  return [...text.matchAll(environment)].some(
    ([, name, columns]) => name === undefined || (/at\*?$/.test(name) && columns === undefined),
  );
}

/** Links, images, styles, classes and ids. */
function refuse(): never {
  throw new Error("the formula contains more than mathematics");
}

/** The library's tree as elements: only what is known to be mathematics. */
class Builder {
  #elements = 0;

  build(node: unknown, depth: number): ReactNode {
    if (typeof node !== "object" || node === null || depth > MAX_DEPTH) return refuse();
    if ("text" in node && typeof node.text === "string") {
      return invisibleOperator.test(node.text) ? node.text : visible(node.text);
    }
    const children = "children" in node && Array.isArray(node.children) ? node.children : [];
    this.#elements += 1;
    if (this.#elements > MOST_ELEMENTS) return refuse();
    const built = children.map((child: unknown) => this.build(child, depth + 1));
    // A fragment has children only.
    if (!("type" in node)) {
      return "children" in node && !("href" in node) ? createElement(Fragment, null, ...built) : refuse();
    }
    if (typeof node.type !== "string" || !names.has(node.type)) return refuse();
    return createElement(node.type, propertiesOf(node.type, node), ...built);
  }
}

function propertiesOf(name: string, node: object): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  const classes = "classes" in node && Array.isArray(node.classes) ? node.classes : [];
  const kept = classes.filter((each: unknown) => typeof each === "string" && className.test(each));
  for (const [key, value] of entriesOf("attributes" in node ? node.attributes : undefined)) {
    if (plainAttributes.has(key)) properties[key] = value;
    else if (lengthAttributes.has(key)) properties[key] = bounded(value);
    // `\rule` is a space with a background.
    else if (key === "mathbackground" && name === "mspace") kept.push("tml-rule");
  }
  const style: Record<string, string> = {};
  for (const [key, value] of entriesOf("style" in node ? node.style : undefined)) {
    const property = key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (refusedStyles.has(property)) refuse();
    if (styles.has(property) && value !== "") style[property] = bounded(value);
  }
  if (Object.keys(style).length > 0) properties["style"] = style;
  if (kept.length > 0) properties["className"] = kept.join(" ");
  return properties;
}

function entriesOf(value: unknown): [key: string, value: string][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).map(([key, each]) => [key, String(each)]);
}

/** A length, or several, or a word such as `solid`. */
function bounded(value: string): string {
  for (const [, number = "", unit = ""] of value.matchAll(/(\d*\.?\d+(?:e[+-]?\d+)?)\s*([a-z%]*)/gi)) {
    // `%` is a part of the formula's own width.
    const most = unit === "%" ? 100 : unit === "px" || unit === "pt" ? 10 * LONGEST_LENGTH : LONGEST_LENGTH;
    if (Number(number) > most) return refuse();
  }
  return /^[\w.% +-]*$/.test(value) ? value : refuse();
}
