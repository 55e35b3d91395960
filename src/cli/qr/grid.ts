/** Rows of modules; true is dark. */
export type Grid = readonly (readonly boolean[])[];

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The code with the mask that has the lowest penalty. */
export function easiestGrid(size: number, bytes: Uint8Array): Grid {
  const grids = MASKS.map((_, mask) => drawn(size, bytes, mask));
  const penalties = grids.map(penaltyOf);
  return grids[penalties.indexOf(Math.min(...penalties))] ?? [];
}

/** A grid under construction: modules that are set are fixed, the others are for data. */
class Canvas {
  readonly width: number;
  readonly dark: boolean[][];
  readonly #fixed: boolean[][];

  constructor(width: number) {
    this.width = width;
    const empty = () => Array.from({ length: width }, () => Array.from({ length: width }, () => false));
    [this.dark, this.#fixed] = [empty(), empty()];
  }

  set(x: number, y: number, isDark: boolean): void {
    const [row, fixed] = [this.dark[y], this.#fixed[y]];
    if (row === undefined || fixed === undefined || x < 0 || x >= this.width) return;
    row[x] = isDark;
    fixed[x] = true;
  }

  isFree(x: number, y: number): boolean {
    return this.#fixed[y]?.[x] === false;
  }

  paint(x: number, y: number, isDark: boolean): void {
    const row = this.dark[y];
    if (row !== undefined) row[x] = isDark;
  }
}

function drawn(size: number, bytes: Uint8Array, mask: number): Grid {
  const canvas = new Canvas(size * 4 + 17);
  drawPatterns(canvas, size);
  drawFormat(canvas, mask);
  if (size >= 7) drawSize(canvas, size);
  drawData(canvas, bytes, MASKS[mask] ?? (() => false));
  return canvas.dark;
}

function drawPatterns(canvas: Canvas, size: number): void {
  const last = canvas.width - 1;
  for (let at = 0; at <= last; at++) {
    canvas.set(6, at, at % 2 === 0);
    canvas.set(at, 6, at % 2 === 0);
  }
  const centres = alignments(size);
  const end = centres.at(-1);
  for (const x of centres) {
    for (const y of centres) {
      // Three corners have finder patterns.
      if ((x === 6 && (y === 6 || y === end)) || (x === end && y === 6)) continue;
      drawRings(canvas, x, y, 2, (distance) => distance !== 1);
    }
  }
  for (const [x, y] of [
    [3, 3],
    [last - 3, 3],
    [3, last - 3],
  ] as const) {
    drawRings(canvas, x, y, 4, (distance) => distance !== 2 && distance !== 4);
  }
}

function drawRings(
  canvas: Canvas,
  x: number,
  y: number,
  radius: number,
  isDark: (ring: number) => boolean,
): void {
  for (let dy = -radius; dy <= radius; dy++) {
    for (let dx = -radius; dx <= radius; dx++) {
      canvas.set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
    }
  }
}

/** The centres of the alignment patterns, in either direction. */
function alignments(size: number): number[] {
  if (size === 1) return [];
  const count = Math.floor(size / 7) + 2;
  const step = Math.ceil((size * 4 + 4) / (count * 2 - 2)) * 2;
  const far = size * 4 + 10;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => far - step * (count - 2 - index))];
}

/** The format: level L and the mask with ten correction bits, twice. */
function drawFormat(canvas: Canvas, mask: number): void {
  const data = (0b01 << 3) | mask;
  const bits = ((data << 10) | remainder(data, 10, 0x537)) ^ 0x5412;
  const last = canvas.width - 1;
  for (let bit = 0; bit < 15; bit++) {
    const isDark = ((bits >> bit) & 1) === 1;
    // Around the upper left corner, skipping the timing pattern.
    if (bit < 8) canvas.set(8, bit < 6 ? bit : bit + 1, isDark);
    else canvas.set(bit === 8 ? 7 : 14 - bit, 8, isDark);
    // Below the upper right corner and to the right of the lower left one.
    if (bit < 8) canvas.set(last - bit, 8, isDark);
    else canvas.set(8, last - 14 + bit, isDark);
  }
  canvas.set(8, last - 7, true);
}

/** The version with twelve correction bits, twice. */
function drawSize(canvas: Canvas, size: number): void {
  const bits = (size << 12) | remainder(size, 12, 0x1f25);
  for (let bit = 0; bit < 18; bit++) {
    const isDark = ((bits >> bit) & 1) === 1;
    const [near, far] = [Math.floor(bit / 3), canvas.width - 11 + (bit % 3)];
    canvas.set(far, near, isDark);
    canvas.set(near, far, isDark);
  }
}

function remainder(value: number, bits: number, divisor: number): number {
  let rest = value;
  for (let bit = 0; bit < bits; bit++) rest = (rest << 1) ^ ((rest >> (bits - 1)) * divisor);
  return rest;
}

/** In columns of two from the right, alternately up and down. */
function drawData(canvas: Canvas, bytes: Uint8Array, isInverted: (x: number, y: number) => boolean): void {
  let bit = 0;
  const last = canvas.width - 1;
  for (let right = last, isUp = true; right >= 1; right -= 2, isUp = !isUp) {
    // Skips the column of the timing pattern.
    if (right === 6) right = 5;
    for (let step = 0; step <= last; step++) {
      const y = isUp ? last - step : step;
      for (const x of [right, right - 1]) {
        if (!canvas.isFree(x, y)) continue;
        const isSet = (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        canvas.paint(x, y, isSet !== isInverted(x, y));
        bit++;
      }
    }
  }
}

/** The penalty of a grid: long runs, blocks, patterns like a finder, dark and light out of balance. */
function penaltyOf(grid: Grid): number {
  const columns = grid.map((_, x) => grid.map((row) => row[x] === true));
  const lines = [...grid, ...columns].map((line) => line.map((isDark) => (isDark ? "1" : "0")).join(""));
  let penalty = 0;
  for (const line of lines) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
    penalty += 40 * [...line.matchAll(/(?=00001011101|10111010000)/g)].length;
  }
  for (let y = 1; y < grid.length; y++) {
    for (let x = 1; x < grid.length; x++) {
      const corner = grid[y]?.[x];
      if (corner === grid[y - 1]?.[x] && corner === grid[y]?.[x - 1] && corner === grid[y - 1]?.[x - 1])
        penalty += 3;
    }
  }
  const dark = grid.flat().filter((isDark) => isDark).length;
  return penalty + 10 * Math.floor(Math.abs((dark * 20) / grid.length ** 2 - 10));
}
