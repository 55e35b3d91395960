import { defineConfig } from "vitest/config";
import { FlakyReporter } from "./test/support/flaky-reporter.js";
import { filesByProcess } from "./test/support/own-process.js";
import { resolveDragoman } from "./web/resolve-dragoman.js";

/** Most files here are units. Starting a process for each, and loading the modules again, takes longer than the tests. */
const sharing = [
  "src",
  "web/src",
  "test/fakes",
  "test/property",
  "test/integration/framing",
  "test/integration/gateway",
  "test/integration/providers",
  "test/integration/recordings",
  "test/integration/rpc",
  "test/integration/timbal",
];
const { alone, shared } = filesByProcess(sharing);
const installed = "**/node_modules/**";

export default defineConfig({
  plugins: [resolveDragoman()],
  test: {
    // The built program is loaded as Node.js loads it.
    server: { deps: { external: [/\/dist\//] } },
    setupFiles: ["test/support/setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    retry: 1,
    reporters: ["default", new FlakyReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: "alone",
          include: ["test/**/*.test.ts", ...alone],
          exclude: [installed, ...shared],
          globalSetup: ["test/support/postgres/shared-server.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "shared",
          include: shared,
          setupFiles: ["test/support/restore-catalogue.ts"],
          isolate: false,
        },
      },
    ],
  },
});
