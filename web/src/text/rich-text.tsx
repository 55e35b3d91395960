import { Fragment, type ReactNode } from "react";

const marks = /`([^`]+)`|\{(\w+)\}/g;

/**
 * A text with elements in it: `` `code` `` is code, and `{name}` is the element of that name. Names that people chose are elements,
 * too, so that they cannot contain marks.
 */
export function RichText({ text, ...slots }: { text: string } & Readonly<Record<string, ReactNode>>) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: mark, 1: code, 2: slot = "", index } of text.matchAll(marks)) {
    parts.push(text.slice(end, index), code === undefined ? slots[slot] : <code>{code}</code>);
    end = index + mark.length;
  }
  parts.push(text.slice(end));
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text are identified by position
  return parts.map((part, at) => <Fragment key={at}>{part}</Fragment>);
}
