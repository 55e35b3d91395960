import { defineConfig } from "vitest/config";
import { FlakyReporter } from "./test/support/flaky-reporter.js";
import { resolveDragoman } from "./web/resolve-dragoman.js";

export default defineConfig({
  plugins: [resolveDragoman()],
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "web/src/**/*.test.{ts,tsx}"],
    // The built program is loaded as Node.js loads it.
    server: { deps: { external: [/\/dist\//] } },
    setupFiles: ["test/support/setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    retry: 1,
    reporters: ["default", new FlakyReporter()],
  },
});
