/** Lines `[aStart, aEnd)` of `a` became lines `[bStart, bEnd)` of `b`. */
export interface LineChange {
  aStart: number;
  aEnd: number;
  bStart: number;
  bEnd: number;
}

/** Texts with more differences than this are reported as one change, from the first difference to the last. */
const MAX_DISTANCE = 1000;

/** The fewest line deletions and insertions that turn `a` into `b`, in order. */
export function lineChanges(a: readonly string[], b: readonly string[]): LineChange[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let [aEnd, bEnd] = [a.length, b.length];
  while (aEnd > start && bEnd > start && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--;
    bEnd--;
  }
  if (start === aEnd && start === bEnd) return [];
  const middle = shortestScript(a.slice(start, aEnd), b.slice(start, bEnd));
  return middle.map((change) => ({
    aStart: change.aStart + start,
    aEnd: change.aEnd + start,
    bStart: change.bStart + start,
    bEnd: change.bEnd + start,
  }));
}

/**
 * Myers' greedy algorithm. `reach.get(k)` is the furthest position in `a` on diagonal `k` (`x - y = k`) after `d` steps;
 * each step's reaches are kept to trace the path back.
 */
function shortestScript(a: readonly string[], b: readonly string[]): LineChange[] {
  const history: Map<number, number>[] = [];
  let reach = new Map([[1, 0]]);
  for (let d = 0; d <= MAX_DISTANCE; d++) {
    history.push(reach);
    const next = new Map<number, number>();
    for (let k = -d; k <= d; k += 2) {
      let x = goesDown(reach, k, d) ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return traceBack(history, a.length, b.length);
    }
    reach = next;
  }
  return [{ aStart: 0, aEnd: a.length, bStart: 0, bEnd: b.length }];
}

function goesDown(reach: ReadonlyMap<number, number>, k: number, d: number): boolean {
  return k === -d || (k !== d && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
}

function traceBack(
  history: readonly ReadonlyMap<number, number>[],
  aLength: number,
  bLength: number,
): LineChange[] {
  const changes: LineChange[] = [];
  let [x, y] = [aLength, bLength];
  for (const [d, reach] of [...history.entries()].reverse()) {
    if (d === 0) break;
    const k = x - y;
    const from = goesDown(reach, k, d) ? k + 1 : k - 1;
    const fromX = reach.get(from) ?? 0;
    const fromY = fromX - from;
    const [toX, toY] = from > k ? [fromX, fromY + 1] : [fromX + 1, fromY];
    const later = changes[0];
    if (later?.aStart === toX && later.bStart === toY) [later.aStart, later.bStart] = [fromX, fromY];
    else changes.unshift({ aStart: fromX, aEnd: toX, bStart: fromY, bEnd: toY });
    [x, y] = [fromX, fromY];
  }
  return changes;
}
