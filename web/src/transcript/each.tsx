import { Fragment, type ReactNode } from "react";

/** Elements for items identified only by position: the lines of a diff, the cells of a table. */
export function each<T>(things: readonly T[], show: (thing: T, at: number) => ReactNode): ReactNode[] {
  // biome-ignore lint/suspicious/noArrayIndexKey: items are identified by position
  return things.map((thing, at) => <Fragment key={at}>{show(thing, at)}</Fragment>);
}
