import { perLocale } from "../text/locale.js";

const formats = perLocale((locale) => ({
  grouped: new Intl.NumberFormat(locale),
  short: new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }),
  tenths: new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  list: new Intl.ListFormat(locale, { type: "conjunction" }),
}));

/** `1,234` */
export function count(value: number): string {
  return formats().grouped.format(value);
}

/** `read, write, and exec` */
export function listed(names: readonly string[]): string {
  return formats().list.format(names);
}

/** `950`, `1.2k`, `3.4M` */
export function shortCount(value: number): string {
  if (value < 1_000) return count(value);
  if (value < 999_500) return `${trimmed(value / 1_000)}k`;
  return `${trimmed(value / 1_000_000)}M`;
}

function trimmed(value: number): string {
  return formats().short.format(value >= 100 ? Math.round(value) : value);
}

/** `$0.0021`, `$1.50`, `$1,234.00` */
export function dollars(value: number): string {
  if (value === 0 || value >= 1) return money(2)().format(value);
  const digits = Math.max(2, 1 - Math.floor(Math.log10(value)));
  return money(Math.min(digits, MAX_DIGITS))().format(Number(value.toPrecision(2)));
}

/** What `Intl` supports in every browser. */
const MAX_DIGITS = 20;
const amounts = new Map<number, () => Intl.NumberFormat>();

/** The format of amounts with so many digits after the point. */
function money(digits: number): () => Intl.NumberFormat {
  const known = amounts.get(digits);
  if (known !== undefined) return known;
  const made = perLocale(
    (locale) =>
      new Intl.NumberFormat(locale, {
        style: "currency",
        currency: "USD",
        currencyDisplay: "narrowSymbol",
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }),
  );
  amounts.set(digits, made);
  return made;
}

/** `120 ms`, `4.2 s`, `3 min 5 s` */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${formats().tenths.format(ms / 1_000)} s`;
  const seconds = Math.round(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min${seconds % 60 === 0 ? "" : ` ${seconds % 60} s`}`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `812 B`, `12 kB`, `3.4 MB` */
export function byteSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 999_500) return `${trimmed(bytes / 1_000)} kB`;
  return `${trimmed(bytes / 1_000_000)} MB`;
}
