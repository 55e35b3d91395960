import { isMath, MathTokenizer } from "dragoman/markdown";
import { Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { memo, type ReactNode } from "react";
import { texts } from "../../text/texts.js";
import { each } from "../each.js";
import { CodeBlock } from "./code-block.js";
import { type Details, isDetails, joinDetails } from "./details.js";
import { decodeEntities } from "./entities.js";
import { extensionsFor, isFootnote, isFootnoteMark } from "./footnotes.js";
import { Formula } from "./formula.js";
import { ImageLink, Link } from "./link.js";
import { safeImage } from "./safe-url.js";

export interface MarkdownProps {
  text: string;
  /** Keep single line breaks. */
  breaks?: boolean;
  /** The text is still streaming. */
  open?: boolean;
}

/** Deeper nesting is shown as source text. */
const MAX_DEPTH = 24;

/** Markdown as elements. HTML is shown as text, links only lead to the web, and images are never fetched. */
export const Markdown = memo(function Markdown({ text, breaks = false, open = false }: MarkdownProps) {
  const tokens = lex(text, breaks);
  return tokens === undefined ? <p className="md-raw">{text}</p> : blocks(tokens, { open, depth: 0 });
});

function lex(text: string, breaks: boolean): Token[] | undefined {
  try {
    const tokenizer = new MathTokenizer();
    return new Lexer({ gfm: true, breaks, tokenizer, extensions: extensionsFor(text) }).lex(text);
  } catch {
    // Nesting too deep for the lexer's stack: show the source.
    return undefined;
  }
}

interface Where {
  open: boolean;
  depth: number;
}

function blocks(tokens: readonly Token[], where: Where): ReactNode[] {
  return each(joinDetails(tokens, where.open), (token) =>
    isDetails(token) ? details(token, where) : block(token, where),
  );
}

function details({ startsOpen, summary, first, tokens }: Details, { open, depth }: Where): ReactNode {
  const deeper = { open, depth: depth + 1 };
  if (depth > MAX_DEPTH) return <p className="md-raw">{tokens.map(({ raw }) => raw).join("")}</p>;
  return (
    <details className="md-details" open={startsOpen}>
      <summary>{inline(lex(summary, false)?.flatMap((token) => innerTokens(token)) ?? [], deeper)}</summary>
      {blocks([...(lex(first, false) ?? []), ...tokens], deeper)}
    </details>
  );
}

/** The spans of a title, which is a paragraph. */
function innerTokens(token: Token): Token[] {
  return token.type === "paragraph" ? (token.tokens ?? []) : [token];
}

function block(token: Token, { open, depth }: Where): ReactNode {
  const deeper = { open, depth: depth + 1 };
  if (isMath(token)) return <Formula {...token} />;
  if (isFootnote(token)) {
    return (
      <p className="md-footnote" dir="auto">
        <sup>{token.label}</sup> {inline(token.tokens, deeper)}
      </p>
    );
  }
  if (!isMarked(token) || depth > MAX_DEPTH) return <p className="md-raw">{token.raw}</p>;
  switch (token.type) {
    case "space":
      return null;
    case "heading": {
      // h1 and h2 belong to the page.
      const Heading = headings[token.depth - 1] ?? "h6";
      return (
        <Heading className={`md-h${token.depth}`} dir="auto">
          {inline(token.tokens, deeper)}
        </Heading>
      );
    }
    case "paragraph":
      return <p dir="auto">{inline(token.tokens, deeper)}</p>;
    case "text":
      return token.tokens === undefined ? decodeEntities(token.text) : inline(token.tokens, deeper);
    case "code":
      return <CodeBlock text={token.text} language={token.lang?.split(/\s/)[0] ?? ""} open={open} />;
    case "blockquote":
      return <blockquote>{blocks(token.tokens, deeper)}</blockquote>;
    case "list":
      return list(token, deeper);
    case "table":
      return table(token, deeper);
    case "hr":
      return <hr />;
    case "html":
    case "def":
      return <p className="md-raw">{token.raw.trimEnd()}</p>;
    default:
      return inline([token], deeper);
  }
}

const headings = ["h3", "h4", "h5", "h6", "h6", "h6"] as const;

function list(token: Tokens.List, where: Where): ReactNode {
  const items = each(token.items, (item) => (
    <li className={item.task ? "md-task" : undefined} dir="auto">
      {blocks(item.tokens, where)}
    </li>
  ));
  if (!token.ordered) return <ul>{items}</ul>;
  return <ol start={typeof token.start === "number" ? token.start : 1}>{items}</ol>;
}

function table({ header, rows, align }: Tokens.Table, where: Where): ReactNode {
  const cells = (row: readonly Tokens.TableCell[], Cell: "th" | "td") =>
    each(row, (cell, at) => (
      <Cell data-align={align[at] ?? undefined} dir="auto">
        {inline(cell.tokens, where)}
      </Cell>
    ));
  return (
    <section className="md-table" aria-label={texts.transcript.markdown.table} tabIndex={0}>
      <table>
        <thead>
          <tr>{cells(header, "th")}</tr>
        </thead>
        <tbody>
          {each(rows, (row) => (
            <tr>{cells(row, "td")}</tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function inline(tokens: readonly Token[], where: Where): ReactNode[] {
  return each(tokens, (token) => span(token, where));
}

function span(token: Token, { open, depth }: Where): ReactNode {
  if (isMath(token)) return <Formula {...token} />;
  if (isFootnoteMark(token)) return <sup title={token.note}>{token.label}</sup>;
  if (!isMarked(token) || depth > MAX_DEPTH) return token.raw;
  const deeper = { open, depth: depth + 1 };
  switch (token.type) {
    case "text":
      return token.tokens === undefined ? decodeEntities(token.text) : inline(token.tokens, deeper);
    case "escape":
      return token.text;
    case "strong":
      return <strong>{inline(token.tokens, deeper)}</strong>;
    case "em":
      return <em>{inline(token.tokens, deeper)}</em>;
    case "del":
      return <del>{inline(token.tokens, deeper)}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "checkbox":
      return (
        <input
          type="checkbox"
          checked={token.checked}
          disabled
          aria-label={token.checked ? texts.transcript.markdown.done : texts.transcript.markdown.toDo}
        />
      );
    case "link":
      return (
        <Link href={token.href} raw={token.raw}>
          {inline(token.tokens, deeper)}
        </Link>
      );
    case "image": {
      const src = safeImage(token.href);
      return src === undefined ? (
        <ImageLink href={token.href} alt={token.text} raw={token.raw} />
      ) : (
        <img className="md-image" src={src} alt={token.text} />
      );
    }
    default:
      return token.raw;
  }
}

const known = new Set(
  "space heading paragraph text code blockquote list list_item table hr html def escape strong em del codespan br checkbox link image".split(
    " ",
  ),
);

/** Without extensions the lexer emits no other tokens. */
function isMarked(token: Token): token is MarkedToken {
  return known.has(token.type);
}
