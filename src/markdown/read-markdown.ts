import type { Token, Tokens } from "marked";
import { isKnown, type KnownToken, lex } from "./bounded-lexer.js";
import { decodeReferences } from "./character-references.js";
import { type Block, type Cell, type Inline, type Item, joinTexts } from "./document.js";
import { pairSpoilers, SPOILER, type SpoilerSign, spoilerSigns } from "./spoilers.js";

/** Parses a model's Markdown. Unfinished text is parsed as if it ended there: an open code block is closed. */
export function readMarkdown(markdown: string): Block[] {
  // A lone surrogate cannot be sent, and NUL ends the text in some clients.
  const { tokens, used } = lex(markdown.replace(/\p{Surrogate}|\0/gu, "\ufffd"));
  return blocksOf(tokens, used);
}

function blocksOf(all: readonly Token[], used: ReadonlySet<string>): Block[] {
  const tokens = all.filter(isKnown);
  return tokens.flatMap((token, index): Block[] => {
    switch (token.type) {
      case "paragraph":
        return isContinued(tokens[index - 1]) ? [] : [{ type: "paragraph", content: linesOf(tokens, index) }];
      case "heading":
        return [{ type: "heading", level: token.depth, content: inlinesOf(token.tokens) }];
      case "list":
        return [{ type: "list", loose: token.loose, items: itemsOf(token, used) }];
      case "blockquote":
        return [{ type: "quote", blocks: blocksOf(token.tokens, used) }];
      case "code":
        return [codeOf(token)];
      case "table":
        return [
          {
            type: "table",
            header: token.header.map(cellOf),
            rows: token.rows.map((cells) => cells.map(cellOf)),
          },
        ];
      case "hr":
        return [{ type: "rule" }];
      case "math":
        return [{ type: "math", source: token.source, text: token.text }];
      case "def":
        // A definition that no link uses is shown as text; otherwise its URL would be lost.
        return used.has(token.href) ? [] : [{ type: "paragraph", content: definitionOf(token) }];
      case "space":
      case "checkbox":
        return [];
      default:
        return [{ type: "paragraph", content: inlinesOf([token]) }];
    }
  });
}

/** marked ends a paragraph at a line of HTML, which is text for us. */
function isContinued(token: KnownToken | undefined): boolean {
  return token?.type === "paragraph" && !/\n[ \t]*\n$/.test(token.raw);
}

function linesOf(tokens: readonly KnownToken[], start: number): Inline[] {
  const lines: Token[][] = [];
  for (let index = start; ; index++) {
    const token = tokens[index];
    if (token?.type !== "paragraph") break;
    if (index > start) lines.push([{ type: "br", raw: "\n" }]);
    lines.push(token.tokens);
    if (!isContinued(token)) break;
  }
  return inlinesOf(lines.flat());
}

function codeOf({ text, lang }: Tokens.Code): Block {
  const [language] = /^[\w+#.-]{1,20}(?=\s|$)/.exec(lang ?? "") ?? [];
  return { type: "code", text, ...(language === undefined ? {} : { language }) };
}

function definitionOf({ raw, href }: Tokens.Def): Inline[] {
  const text = raw.trim();
  const at = text.lastIndexOf(href);
  if (href === "" || at === -1) return [{ type: "text", text }];
  const link: Inline = { type: "link", url: href, content: [{ type: "text", text: href }] };
  return [
    { type: "text", text: text.slice(0, at) },
    link,
    { type: "text", text: text.slice(at + href.length) },
  ];
}

function itemsOf({ items, ordered, start }: Tokens.List, used: ReadonlySet<string>): Item[] {
  return items.map((item, index) => ({
    blocks: blocksOf(item.tokens, used),
    ...(ordered ? { number: Number(start) + index } : {}),
    ...(item.task ? { done: item.checked === true } : {}),
  }));
}

function cellOf({ tokens, align }: Tokens.TableCell): Cell {
  const content = inlinesOf(tokens).map(withBreaks);
  return { content, align: align === "center" ? "centre" : (align ?? "left") };
}

/** `<br>` is the only way to break a line in a cell. */
function withBreaks(inline: Inline): Inline {
  if (inline.type === "code" || inline.type === "math") return inline;
  if (inline.type === "text") return { type: "text", text: inline.text.replace(/<br *\/?>/gi, "\n") };
  return { ...inline, content: inline.content.map(withBreaks) };
}

/** The spans of inline tokens. */
export function inlinesOf(tokens: readonly Token[]): Inline[] {
  return joinTexts(pairSpoilers(tokens.filter(isKnown).flatMap(spoilerParts)));
}

/** A token split at its spoiler signs. Signs that are escaped or in code are text. */
function spoilerParts(token: KnownToken): (Inline | SpoilerSign)[] {
  if (token.type === "link" && token.raw === token.text && token.raw.endsWith(SPOILER)) {
    // A bare URL extends to white space, so it includes the sign.
    const url = token.raw.slice(0, -SPOILER.length);
    const href = token.href.slice(0, -SPOILER.length);
    return [linkOf(href, [{ type: "text", text: url }]), { type: "sign", opens: false, closes: true }];
  }
  if (token.type !== "text" || token.tokens !== undefined) return inlineOf(token);
  return spoilerSigns(token.text).map((part) =>
    typeof part === "string" ? { type: "text", text: decodeReferences(part) } : part,
  );
}

function inlineOf(token: KnownToken): Inline[] {
  switch (token.type) {
    case "text":
      if (token.tokens !== undefined) return inlinesOf(token.tokens);
      return [{ type: "text", text: decodeReferences(token.text) }];
    case "strong":
      return [{ type: "bold", sign: token.raw.slice(0, 2), content: inlinesOf(token.tokens) }];
    case "em":
      return [{ type: "italic", sign: token.raw.slice(0, 1), content: inlinesOf(token.tokens) }];
    case "del":
      return [{ type: "strike", sign: token.raw.slice(0, 2), content: inlinesOf(token.tokens) }];
    case "codespan":
      return [{ type: "code", sign: /^`+/.exec(token.raw)?.[0] ?? "`", text: token.text }];
    case "math":
      return [{ type: "math", source: token.source, text: token.text, display: token.display }];
    case "link":
      // A bare URL contains no character references.
      if (token.autolink) return [linkOf(token.href, [{ type: "text", text: token.text }])];
      return [linkOf(decodeReferences(token.href), inlinesOf(token.tokens))];
    case "image":
      return [linkOf(decodeReferences(token.href), inlinesOf(token.tokens))];
    case "br":
      return [{ type: "text", text: "\n" }];
    case "escape":
      return [{ type: "text", text: token.text }];
    case "checkbox":
      return [];
    default:
      return [{ type: "text", text: token.raw }];
  }
}

function linkOf(url: string, content: Inline[]): Inline {
  return { type: "link", url, content: content.length === 0 ? [{ type: "text", text: url }] : content };
}
