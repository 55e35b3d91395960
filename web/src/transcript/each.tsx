import { Fragment, type ReactNode } from "react";

/** Elements for things that have no identity but their place: the words of a line, the cells of a table. */
export function each<T>(things: readonly T[], show: (thing: T, at: number) => ReactNode): ReactNode[] {
  // biome-ignore lint/suspicious/noArrayIndexKey: that is what this is for
  return things.map((thing, at) => <Fragment key={at}>{show(thing, at)}</Fragment>);
}
