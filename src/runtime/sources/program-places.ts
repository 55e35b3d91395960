import { homedir } from "node:os";
import type { Places } from "./chosen-places.js";
import { type Environment, expandFolder } from "./expand-folder.js";
import { type Program, programs } from "./programs.js";

/** Where a program keeps its sessions, those places first that its user has chosen. */
export function placesOf(program: Program, env: Environment, userHome = homedir()): Places {
  const { roots = [], files = [] } = program.chosen?.(env, userHome) ?? {};
  return {
    roots: [...new Set([...roots, ...program.roots].map((root) => expandFolder(root, env, userHome)))],
    files: [...files, program.files].flat(),
  };
}

/** The folder in which a program keeps new sessions. */
export function mainFolder(name: string, env: Environment, userHome?: string): string {
  const program = programs[name];
  const [root = ""] = program === undefined ? [] : placesOf(program, env, userHome).roots;
  return root;
}
