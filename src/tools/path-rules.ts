import { DragomanError } from "../core/error.js";

/**
 * Refuses misleading paths before the file system sees them. Windows opens devices and hidden streams by names that look like
 * file names, in any folder.
 */
export function refuseOddPath(path: string, platform: NodeJS.Platform): void {
  const oddity = oddityOf(path, platform);
  if (oddity !== undefined) throw new DragomanError("tools/bad-path", `${JSON.stringify(path)}: ${oddity}`);
}

function oddityOf(path: string, platform: NodeJS.Platform): string | undefined {
  if (path === "") return "the path is empty";
  if (path.includes("\0")) return "the path contains a NUL character";
  if (/\p{Cs}/u.test(path)) return "the path contains half a character (a lone surrogate)";
  if (path === "~" || /^~[/\\]/.test(path)) {
    return 'the home directory is not part of the workspace; a folder named "~" is "./~"';
  }
  return platform === "win32" ? windowsOddityOf(path) : undefined;
}

const device = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i;

function windowsOddityOf(path: string): string | undefined {
  // Opening \\server\share sends the user's credentials to that server.
  if (/^[/\\]{2}/.test(path)) return "network and device paths are not part of the workspace";
  const drive = /^[a-z]:(?=[/\\])/i.exec(path)?.[0] ?? "";
  for (const segment of path.slice(drive.length).split(/[/\\]/)) {
    if (segment === "" || segment === "." || segment === "..") continue;
    if (segment.includes(":")) return "a name with a colon is another stream or another drive";
    if (/[ .]$/.test(segment)) return "Windows drops dots and spaces at the end of a name";
    if (device.test((segment.split(".")[0] ?? segment).trimEnd())) return `"${segment}" is a device`;
    if (/~\d/.test(segment)) return "short names (PROGRA~1) are not resolved; give the full name";
  }
  return undefined;
}
