import type { Dialect } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import { escapeHtml } from "../core/page/escape-html.js";
import { convertStream } from "./convert.js";
import { load } from "./detect.js";
import { readMessages } from "./read-messages.js";
import { recordWriter } from "./write.js";

interface ReadableOptions {
  from: Dialect;
  /** The last message of the branch to show (default: the active leaf). */
  leaf?: string | undefined;
}

const STYLE = "<style>";
const START = "<main>\n";
const END = "</main>";

/**
 * A transcript as the HTML dialect shows it: the style sheet and the messages, to put into the element of a page that is for
 * readers without scripts. A file that is damaged is shown as far as it can be read, and the last line states why.
 *
 * @example
 * for await (const text of readableHtml(open, { from })) await output.write(text);
 */
export async function* readableHtml(
  open: () => AsyncIterable<Uint8Array>,
  { from, leaf }: ReadableOptions,
): AsyncGenerator<string> {
  yield `${STYLE}${await readableStyle()}</style>\n${START}`;
  let hasText = false;
  try {
    const branch = leaf === undefined ? {} : { leaf };
    const page = convertStream(open, { from, to: await load("html"), ...branch });
    for await (const text of withoutEnds(decoded(page))) {
      hasText ||= text !== "";
      yield text;
    }
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    // Finding the branch fails before anything is written. Without it, all branches are shown.
    if (!hasText) yield* withoutEnds(readablePart(open, from));
    yield reasonHtml(error);
  }
  yield `${END}\n`;
}

/** The style sheet in `readableHtml`, which the page's policy has to allow. */
export async function readableStyle(): Promise<string> {
  const empty = recordWriter((await load("html")).framing)
    .finish()
    .join("");
  return empty.slice(empty.indexOf(STYLE) + STYLE.length, empty.indexOf("</style>"));
}

/** A page of every message that can be read. */
async function* readablePart(open: () => AsyncIterable<Uint8Array>, from: Dialect): AsyncGenerator<string> {
  const { framing, encode } = await load("html");
  const writer = recordWriter(framing);
  for await (const batch of readMessages(open(), { from, onUnread: () => undefined })) {
    for (const { message } of batch) yield writer.push(encode([message])).join("");
  }
  yield writer.finish().join("");
}

function reasonHtml({ line, message }: DragomanError): string {
  const place = line === undefined ? "" : `line ${line}: `;
  return `<p class="note bad">Not all of this transcript could be read: ${escapeHtml(place + message)}</p>\n`;
}

async function* decoded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
}

/** The part between the tags of `main`. Text cannot contain them, because its angle brackets are escaped. */
async function* withoutEnds(page: AsyncIterable<string>): AsyncGenerator<string> {
  let held = "";
  let hasStarted = false;
  for await (const text of page) {
    held += text;
    if (!hasStarted) {
      const start = held.indexOf(START);
      if (start < 0) continue;
      held = held.slice(start + START.length);
      hasStarted = true;
    }
    const end = held.lastIndexOf(END);
    // The tag may be cut in two.
    const safe = end < 0 ? Math.max(0, held.length - END.length) : end;
    yield held.slice(0, safe);
    held = held.slice(safe);
  }
}
