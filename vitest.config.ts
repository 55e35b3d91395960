import { defineConfig } from "vitest/config";
import { FlakyReporter } from "./test/support/flaky-reporter.js";
import { LongestFirst } from "./test/support/longest-first.js";
import { filesByProcess } from "./test/support/own-process.js";
import { resolveDragoman } from "./web/resolve-dragoman.js";

/** Starting a process for each file, and loading the modules again, would take longer than most tests. */
const { alone, shared } = filesByProcess(["src", "web/src", "test"]);

export default defineConfig({
  plugins: [resolveDragoman()],
  test: {
    // The built program is loaded as Node.js loads it.
    server: { deps: { external: [/\/dist\//] } },
    setupFiles: ["test/support/setup.ts"],
    globalSetup: ["test/support/postgres/shared-server.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One more than the cores that there are in CI: some tests wait for a process, a lease or a timer.
    maxWorkers: 3,
    retry: 1,
    reporters: ["default", new FlakyReporter()],
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: "alone", include: alone } },
      {
        extends: true,
        test: {
          name: "shared",
          include: shared,
          setupFiles: ["test/support/restore-process.ts"],
          isolate: false,
        },
      },
    ],
  },
});
