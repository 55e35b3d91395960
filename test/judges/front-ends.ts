import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { installNode } from "./install.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const LIMIT_MS = 480_000;

/** What vitest reports. */
interface Report {
  numPassedTests: number;
  testResults: { message?: string; assertionResults: { fullName: string; status: string }[] }[];
}

export interface FrontEndVerdict {
  /** Of Node.js. */
  version: string;
  passed: number;
  problems: string[];
}

/**
 * Runs the tests of all front-end clients on a newer Node.js: `ai` 7 and OpenClaw's client declare one, and `npm test` runs on
 * the oldest that Dragoman supports.
 */
export async function judgeFrontEnds(): Promise<FrontEndVerdict> {
  const { version, command } = await installNode();
  const [node = ""] = command;
  const test = "test/e2e/front-ends/every-client.test.ts";
  const args = ["node_modules/vitest/vitest.mjs", "run", test, "--reporter=json"];
  const output = await new Promise<string>((resolve) => {
    const options = { cwd: root, timeout: LIMIT_MS, maxBuffer: 64 * 1024 * 1024 };
    // A failed test is an exit code, and is in the report.
    execFile(node, args, options, (_, stdout, stderr) => resolve(stdout === "" ? stderr : stdout));
  });
  const start = output.indexOf('{"num');
  if (start < 0) return { version, passed: 0, problems: [`no report: ${output.slice(-1000)}`] };
  const report: Report = JSON.parse(output.slice(start));
  return { version, passed: report.numPassedTests, problems: report.testResults.flatMap(problemsIn) };
}

function problemsIn({ message = "", assertionResults }: Report["testResults"][number]): string[] {
  const failed = assertionResults.filter(({ status }) => status === "failed").map(({ fullName }) => fullName);
  return failed.length === 0 && message !== "" ? [message] : failed;
}
