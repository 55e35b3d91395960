import { expect, test } from "vitest";
import { refuseOddPath } from "./path-rules.js";

function refusal(path: string, platform: NodeJS.Platform): string {
  try {
    refuseOddPath(path, platform);
    return "fine";
  } catch (error) {
    return error instanceof Error ? error.message : "not an error";
  }
}

test.each([
  ["", '"": the path is empty'],
  ["a\0b", '"a\\u0000b": the path contains a NUL character'],
  ["a\ud800", '"a\\ud800": the path contains half a character (a lone surrogate)'],
  ["~", '"~": the home directory is not part of the workspace; a folder named "~" is "./~"'],
  ["~/.ssh", '"~/.ssh": the home directory is not part of the workspace; a folder named "~" is "./~"'],
  ["./~/x", "fine"],
  ["~name", "fine"],
  ["aux.c", "fine"],
  ["a:b", "fine"],
  ["drivers/con", "fine"],
  ["name.", "fine"],
])("%j on Linux", (path, expected) => {
  expect(refusal(path, "linux")).toBe(expected);
});

test.each([
  ["src\\a.ts", "fine"],
  ["C:\\work\\a.ts", "fine"],
  ["..\\a", "fine"],
  ["console.log", "fine"],
  ["NUL", '"NUL" is a device'],
  ["a/con", '"con" is a device'],
  ["aux.c", '"aux.c" is a device'],
  ["Com1.txt", '"Com1.txt" is a device'],
  ["lpt¹", '"lpt¹" is a device'],
  ["nul .txt", '"nul .txt" is a device'],
  ["a.txt:hidden", "a name with a colon is another stream or another drive"],
  ["a.txt::$DATA", "a name with a colon is another stream or another drive"],
  ["D:secret", "a name with a colon is another stream or another drive"],
  ["secret.txt.", "Windows drops dots and spaces at the end of a name"],
  ["folder /a", "Windows drops dots and spaces at the end of a name"],
  ["PROGRA~1\\x", "short names (PROGRA~1) are not resolved; give the full name"],
  ["\\\\server\\share", "network and device paths are not part of the workspace"],
  ["//server/share", "network and device paths are not part of the workspace"],
  ["\\\\?\\C:\\x", "network and device paths are not part of the workspace"],
  ["\\\\.\\pipe\\x", "network and device paths are not part of the workspace"],
])("%j on Windows", (path, expected) => {
  expect(refusal(path, "win32")).toBe(
    expected === "fine" ? expected : `${JSON.stringify(path)}: ${expected}`,
  );
});
