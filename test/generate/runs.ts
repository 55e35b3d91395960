/** `npm run soak` runs more generated cases than `npm test`. */
export const isSoak = process.env["DRAGOMAN_SOAK"] === "1";

/** How many generated cases to run: all in a soak, otherwise one in `share`. Also for how often a law must have been exercised. */
export function runs(all: number, share = 3): number {
  return isSoak ? all : Math.ceil(all / share);
}

/** Rows of a table of cases that only a soak runs. */
export function soakOnly<Row>(...rows: Row[]): Row[] {
  return isSoak ? rows : [];
}
