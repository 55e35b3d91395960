import { Buffer } from "node:buffer";

/** As the Bot API gives them back: offsets and lengths in units of UTF-16. */
export interface TelegramEntity {
  type: string;
  offset: number;
  length: number;
  url?: string;
  language?: string;
  user?: { id: number };
  custom_emoji_id?: string;
}

export type TelegramText = { text: string; entities: TelegramEntity[] };

interface OpenTag {
  name: string;
  argument: string;
  offset: number;
}

const types: Record<string, string> = {
  a: "text_link",
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  u: "underline",
  ins: "underline",
  s: "strikethrough",
  strike: "strikethrough",
  del: "strikethrough",
  "tg-spoiler": "spoiler",
  span: "spoiler",
  "tg-emoji": "custom_emoji",
  pre: "pre",
  code: "code",
  blockquote: "blockquote",
};

/** The attribute of a tag that means something, and what its value begins with. */
const attributes: Record<string, [name: string, prefix: string]> = {
  a: ["href", ""],
  code: ["class", "language-"],
  span: ["class", "tg-"],
  "tg-emoji": ["emoji-id", ""],
  blockquote: ["expandable", ""],
};

const references: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"' };

class ParseError extends Error {}

/**
 * Reads `parse_mode: "HTML"` the way the service does: a text and its entities, or the words of its refusal.
 *
 *     parseTelegramHtml("<b>a</b>") // { text: "a", entities: [{ type: "bold", offset: 0, length: 1 }] }
 *     parseTelegramHtml("<b>a")     // { error: 'Bad Request: can\'t parse entities: Can\'t find end tag …' }
 */
export function parseTelegramHtml(html: string): TelegramText | { error: string } {
  try {
    return new Reader(html).read();
  } catch (error) {
    if (error instanceof ParseError) return { error: `Bad Request: can't parse entities: ${error.message}` };
    throw error;
  }
}

class Reader {
  readonly #html: string;
  #at = 0;
  #text = "";
  readonly #open: OpenTag[] = [];
  readonly #entities: TelegramEntity[] = [];

  constructor(html: string) {
    this.#html = html;
  }

  read(): TelegramText {
    while (this.#at < this.#html.length) {
      const [plain = ""] = this.#take(/[^<&]+/y) ?? [];
      this.#text += plain;
      if (this.#html[this.#at] === "&") this.#text += this.#reference();
      else if (this.#html.startsWith("</", this.#at)) this.#endTag();
      else if (this.#html[this.#at] === "<") this.#startTag();
    }
    const unclosed = this.#open.at(-1);
    if (unclosed !== undefined) {
      throw new ParseError(`Can't find end tag corresponding to start tag "${unclosed.name}"`);
    }
    if (/\p{Surrogate}/u.test(this.#text)) throw new ParseError("Strings must be encoded in UTF-8");
    this.#entities.sort((a, b) => a.offset - b.offset || b.length - a.length);
    return { text: this.#text, entities: this.#entities.map(withoutHint) };
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#html);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match;
  }

  /** `&amp;`, `&#38;`, `&#x26;`; an ampersand that begins nothing stands for itself. */
  #reference(): string {
    const [all = "", hex, decimal, name] = this.#take(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]+));?/iy) ?? [];
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (code > 0 && code < 0x10ffff) return String.fromCodePoint(code);
    const known = name === undefined ? undefined : references[name];
    if (known !== undefined) return known;
    this.#at += 1 - all.length;
    return "&";
  }

  #startTag(): void {
    const start = this.#at;
    const [all = "", written = ""] = this.#take(/<([^\s>]*)/y) ?? [];
    if (start + all.length >= this.#html.length) this.#fail("Unclosed start tag", start);
    const name = written.toLowerCase();
    if (!Object.hasOwn(types, name)) this.#fail(`Unsupported start tag "${name}"`, start);
    let argument = "";
    while (this.#take(/\s*>/y) === undefined) {
      const { attribute, value } = this.#attribute(name, start);
      const [known, prefix = ""] = attributes[name] ?? [];
      if (attribute === known && value.startsWith(prefix)) argument = value.slice(prefix.length);
    }
    if (name === "span" && argument !== "spoiler") {
      this.#fail('Tag "span" must have class "tg-spoiler"', start);
    }
    this.#open.push({ name, argument, offset: this.#text.length });
  }

  #attribute(tag: string, start: number): { attribute: string; value: string } {
    const [, attribute = ""] = this.#take(/\s*([^\s=>]*)\s*/y) ?? [];
    if (this.#at >= this.#html.length) this.#fail("Unclosed start tag", start);
    if (attribute === "") this.#fail(`Empty attribute name in the tag "${tag}"`, start);
    if (this.#take(/=\s*/y) === undefined) return { attribute, value: "" };
    if (this.#at >= this.#html.length) this.#fail(`Unclosed start tag "${tag}"`, start);
    const quoted = this.#take(/"([^"]*)"|'([^']*)'/y);
    if (quoted !== undefined) return { attribute, value: decoded(quoted[1] ?? quoted[2] ?? "") };
    if (/["']/.test(this.#html.charAt(this.#at))) this.#fail("Unclosed start tag", start);
    const token = this.#at;
    const [value = ""] = this.#take(/[\w.-]*(?=[\s>])/y) ?? [];
    if (this.#at === token) this.#fail("Unexpected end of name token", token);
    return { attribute, value: value.toLowerCase() };
  }

  #endTag(): void {
    const start = this.#at;
    const tag = this.#open.pop();
    if (tag === undefined) this.#fail("Unexpected end tag", start);
    const end = this.#take(/<\/([^\s>]*)\s*>/y);
    if (end === undefined) this.#fail("Unclosed end tag", start);
    const name = end[1]?.toLowerCase() ?? "";
    if (name !== "" && name !== tag.name) {
      this.#fail("Unmatched end tag", start, `, expected "</${tag.name}>", found "</${name}>"`);
    }
    if (this.#text.length > tag.offset) this.#close(tag);
  }

  #close({ name, argument, offset }: OpenTag): void {
    const type = types[name] ?? "";
    const entity = { type, offset, length: this.#text.length - offset };
    const last = this.#entities.at(-1);
    const isSamePlace = last?.offset === offset && last.length === entity.length;
    if (name === "pre" && isSamePlace && last.type === "code" && last.language !== undefined) {
      last.type = "pre";
    } else if (name === "code") {
      this.#entities.push(argument === "" ? entity : { ...entity, language: argument });
    } else if (name === "a") {
      this.#entities.push(...linkOf(argument === "" ? this.#text.slice(offset) : argument, entity));
    } else if (name === "tg-emoji") {
      if (!/^-?\d*[1-9]\d*$/.test(argument)) {
        throw new ParseError("Invalid custom emoji identifier specified");
      }
      this.#entities.push({ ...entity, custom_emoji_id: argument });
    } else {
      this.#entities.push(entity);
    }
  }

  #fail(what: string, at: number, more = ""): never {
    throw new ParseError(`${what} at byte offset ${Buffer.byteLength(this.#html.slice(0, at))}${more}`);
  }
}

/** Code has a language only in a block. */
function withoutHint({ language, ...entity }: TelegramEntity): TelegramEntity {
  return language === undefined || entity.type === "code" ? entity : { ...entity, language };
}

function decoded(value: string): string {
  return value.replace(/&(lt|gt|amp|quot);?/g, (all, name) => references[name] ?? all);
}

/** Addresses that the service does not take leave a text without a link, and no error. */
function linkOf(url: string, entity: TelegramEntity): TelegramEntity[] {
  const [, id] = /^tg:\/\/user\?id=(\d+)$/i.exec(url) ?? [];
  if (id !== undefined) return [{ ...entity, type: "text_mention", user: { id: Number(id) } }];
  if (/^tg:/i.test(url)) return [{ ...entity, url }];
  const whole = /^https?:/i.test(url) ? url : `http://${url}`;
  if (!URL.canParse(whole) || !new URL(whole).hostname.includes(".")) return [];
  return [{ ...entity, url: new URL(whole).href }];
}

/** What the Bot API says of entities in entities, and how many it keeps; it drops what breaks these rules and says nothing. */
export function nestingProblems(entities: readonly TelegramEntity[]): string[] {
  const problems = entities.length > 100 ? [`${entities.length} entities`] : [];
  const isCode = ({ type }: TelegramEntity) => type === "pre" || type === "code";
  const isStyle = ({ type }: TelegramEntity) =>
    ["bold", "italic", "underline", "strikethrough", "spoiler"].includes(type);
  entities.forEach((outer, index) => {
    const end = outer.offset + outer.length;
    for (const inner of entities.slice(index + 1)) {
      if (inner.offset >= end) continue;
      const is = `${inner.type} in ${outer.type} at ${inner.offset}`;
      if (inner.offset + inner.length > end) problems.push(`${is}: crossing`);
      else if (isCode(outer)) problems.push(is);
      else if (outer.type === "blockquote") {
        if (inner.type === "blockquote") problems.push(is);
      } else if (isCode(inner) || !(isStyle(outer) || isStyle(inner))) problems.push(is);
    }
  });
  return problems;
}
