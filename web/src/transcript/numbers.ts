const grouped = new Intl.NumberFormat();

/** `1,234` */
export function count(value: number): string {
  return grouped.format(value);
}

/** `1 message`, `1,234 messages` */
export function counted(value: number, singular: string, plural = `${singular}s`): string {
  return `${count(value)} ${value === 1 ? singular : plural}`;
}

/** `950`, `1.2k`, `3.4M` */
export function shortCount(value: number): string {
  if (value < 1_000) return String(value);
  if (value < 999_500) return `${trimmed(value / 1_000)}k`;
  return `${trimmed(value / 1_000_000)}M`;
}

function trimmed(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1).replace(/\.0$/, "");
}

/** `$0.0021`, `$1.50` */
export function dollars(value: number): string {
  if (value === 0 || value >= 1) return `$${value.toFixed(2)}`;
  return `$${Number(value.toPrecision(2)).toFixed(Math.max(2, 1 - Math.floor(Math.log10(value))))}`;
}

/** `120 ms`, `4.2 s`, `3 min 5 s` */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
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
