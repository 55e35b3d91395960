import { mathExtensions } from "dragoman/markdown";
import type { Token, TokenizerExtensionFunction } from "marked";

/** `[^1]` in a text that also has the footnote. */
export interface FootnoteMark {
  type: "footnoteMark";
  raw: string;
  label: string;
  /** The footnote's source, to show at the mark. */
  note: string;
}

/** `[^1]: Where it says so.` */
export interface Footnote {
  type: "footnote";
  raw: string;
  label: string;
  tokens: Token[];
}

export function isFootnoteMark(token: Token): token is FootnoteMark {
  return token.type === "footnoteMark";
}

export function isFootnote(token: Token): token is Footnote {
  return token.type === "footnote";
}

const definition = /^\[\^([^\]\s]{1,40})\]:[ \t]*([^\n]*(?:\n[ \t]*[^\s[][^\n]*)*)(?:\n+|$)/;
const mark = /^\[\^([^\]\s]{1,40})\](?!\()/;

/** marked's option `extensions` for a text: formulas, and footnotes if it has any. Marks without a footnote, such as `[^a-z]`, stay as they are. */
export function extensionsFor(text: string): typeof mathExtensions {
  const notes = notesIn(text);
  if (notes.size === 0) return mathExtensions;
  const readMark: TokenizerExtensionFunction = (source) => {
    const [raw, label = ""] = mark.exec(source) ?? [];
    const note = notes.get(label);
    return raw === undefined || note === undefined ? undefined : { type: "footnoteMark", raw, label, note };
  };
  return {
    ...mathExtensions,
    inline: [...mathExtensions.inline, readMark],
    block: [...mathExtensions.block, readFootnote],
    startInline: [...mathExtensions.startInline, (source) => source.indexOf("[^")],
    startBlock: [...mathExtensions.startBlock, (source) => source.search(/(?<=\n)\[\^[^\]\s]{1,40}\]:/)],
  };
}

function notesIn(text: string): Map<string, string> {
  if (!text.includes("[^")) return new Map();
  const lines = text.matchAll(/^\[\^([^\]\s]{1,40})\]:[ \t]*([^\n]*)/gm);
  return new Map(Array.from(lines, ([, label = "", note = ""]) => [label, note]));
}

const readFootnote: TokenizerExtensionFunction = function (source) {
  const [raw, label, text] = definition.exec(source) ?? [];
  if (raw === undefined || label === undefined || text === undefined) return undefined;
  return { type: "footnote", raw, label, tokens: this.lexer.inline(text) };
};
