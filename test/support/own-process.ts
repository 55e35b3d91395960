import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What a test file does to its whole process: it replaces modules or the console, registers a connector,
 * changes the environment or the working directory, or measures the process.
 */
const CHANGES =
  /\bvi\.(?:mock|doMock|stubGlobal|stubEnv)\(|\bvi\.spyOn\(printer,|\bregisterConnector\(|\bprocess\.chdir\(|\bprocess\.env\[[^\]]+\] =[^=]|\bprocess\.memoryUsage\(/;

/**
 * Folders of tests that run commands, whose configuration changes the built program's catalogue of models, or clients of
 * other programs, which leave timers and listeners behind.
 */
const ALONE = /^test\/(?:e2e\/(?!web\/)|integration\/(?:acp|channels|links|mcp|postgres|telemetry)\/)/;

/** The test files in these folders: those that need a process of their own, and those that can share one. */
export function filesByProcess(folders: readonly string[]): { alone: string[]; shared: string[] } {
  const files = folders.flatMap(testFiles);
  const alone = files.filter((path) => ALONE.test(path) || CHANGES.test(readFileSync(path, "utf8")));
  return { alone, shared: files.filter((path) => !alone.includes(path)) };
}

function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : testFiles(path);
    return /\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });
}
