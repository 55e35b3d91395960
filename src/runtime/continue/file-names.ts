/** Every character of a folder's path but ASCII letters and digits becomes a dash. */
export function dashed(folder: string): string {
  return folder.replace(/[^A-Za-z0-9]/g, "-");
}

/** The longest name of a folder that Claude Code does not shorten. */
const LONGEST = 200;

/** How Claude Code names the folder with a project's sessions. */
export function claudeFolder(folder: string): string {
  const name = dashed(folder);
  return name.length <= LONGEST ? name : `${name.slice(0, LONGEST)}-${hash31(folder)}`;
}

function hash31(text: string): string {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (hash * 31 + text.charCodeAt(index)) | 0;
  return Math.abs(hash).toString(36);
}

/** How pi names the folder with a project's sessions: `--home-ann-app--`. */
export function piFolder(folder: string): string {
  return `--${folder.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
}

/** `2026-03-02T09-00-00`, in local time. */
export function localStamp(time: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${date}T${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join("-")}`;
}

/** `2026-03-02T09-00-00-000Z` */
export function utcStamp(time: Date): string {
  return time.toISOString().replace(/[:.]/g, "-");
}
