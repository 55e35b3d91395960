import type { Reporter, TestCase } from "vitest/node";

/** Lists the tests that failed and then passed when they were repeated, after vitest's own summary. */
export class FlakyReporter implements Reporter {
  readonly #flaky: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return;
    const [error] = test.result().errors ?? [];
    this.#flaky.push(`${test.module.relativeModuleId} > ${test.fullName}\n    ${error?.message ?? ""}`);
  }

  onTestRunEnd(): void {
    if (this.#flaky.length === 0) return;
    process.stdout.write(`Passed only when repeated (find the cause):\n  ${this.#flaky.join("\n  ")}\n\n`);
  }
}
