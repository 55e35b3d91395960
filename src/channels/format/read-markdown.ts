import type { Token, Tokens } from "marked";
import { isKnown, lex } from "./bounded-lexer.js";
import { decodeReferences } from "./character-references.js";
import type { Block, Cell, Inline, Item } from "./document.js";

/** Reads what a model writes. A text that is not finished is read as if it ended there: an open block of code is closed. */
export function readMarkdown(markdown: string): Block[] {
  // Half a character cannot be sent; a null ends texts in some clients.
  return blocksOf(lex(markdown.replace(/\p{Surrogate}|\0/gu, "\ufffd")));
}

function blocksOf(tokens: readonly Token[]): Block[] {
  return tokens.filter(isKnown).flatMap((token): Block[] => {
    switch (token.type) {
      case "paragraph":
        return [{ type: "paragraph", content: inlinesOf(token.tokens) }];
      case "heading":
        return [{ type: "heading", level: token.depth, content: inlinesOf(token.tokens) }];
      case "list":
        return [{ type: "list", loose: token.loose, items: itemsOf(token) }];
      case "blockquote":
        return [{ type: "quote", blocks: blocksOf(token.tokens) }];
      case "code":
        return [codeOf(token)];
      case "table":
        return [{ type: "table", header: token.header.map(cellOf), rows: token.rows.map(rowOf) }];
      case "hr":
        return [{ type: "rule" }];
      case "space":
      case "def":
      case "checkbox":
        return [];
      default:
        return [{ type: "paragraph", content: inlinesOf([token]) }];
    }
  });
}

function codeOf({ text, lang }: Tokens.Code): Block {
  const [language] = /^[\w+#.-]{1,20}(?=\s|$)/.exec(lang ?? "") ?? [];
  return { type: "code", text, ...(language === undefined ? {} : { language }) };
}

function itemsOf({ items, ordered, start }: Tokens.List): Item[] {
  return items.map((item, index) => ({
    blocks: blocksOf(item.tokens),
    ...(ordered ? { number: Number(start) + index } : {}),
    ...(item.task ? { done: item.checked === true } : {}),
  }));
}

function rowOf(cells: readonly Tokens.TableCell[]): Cell[] {
  return cells.map(cellOf);
}

function cellOf({ tokens, align }: Tokens.TableCell): Cell {
  return { content: inlinesOf(tokens), align: align === "center" ? "centre" : (align ?? "left") };
}

function inlinesOf(tokens: readonly Token[]): Inline[] {
  return tokens.filter(isKnown).flatMap((token): Inline[] => {
    switch (token.type) {
      case "text":
        if (token.tokens !== undefined) return inlinesOf(token.tokens);
        return [{ type: "text", text: decodeReferences(token.text) }];
      case "strong":
        return [{ type: "bold", content: inlinesOf(token.tokens) }];
      case "em":
        return [{ type: "italic", content: inlinesOf(token.tokens) }];
      case "del":
        return [{ type: "strike", content: inlinesOf(token.tokens) }];
      case "codespan":
        return [{ type: "code", text: token.text }];
      case "link":
        return [linkOf(token.href, inlinesOf(token.tokens))];
      case "image":
        return [linkOf(token.href, inlinesOf(token.tokens))];
      case "br":
        return [{ type: "text", text: "\n" }];
      case "escape":
        return [{ type: "text", text: token.text }];
      case "checkbox":
        return [];
      default:
        return [{ type: "text", text: token.raw }];
    }
  });
}

function linkOf(url: string, content: Inline[]): Inline {
  return { type: "link", url, content: content.length === 0 ? [{ type: "text", text: url }] : content };
}
