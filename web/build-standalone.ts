import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { build } from "vite";
import { readableStyle } from "../src/convert/readable-html.js";
import { browsers } from "./browsers.js";
import { resolveDragoman } from "./resolve-dragoman.js";
import { pageHtml } from "./src/viewer/model/page-html.js";

const root = fileURLToPath(new URL("./", import.meta.url));

/**
 * Builds the viewer as one self-contained page that opens any transcript, and into which one can be embedded. The content security policy allows
 * its one script and one style by hash, and lets the page load nothing.
 */
export async function buildStandalone(outDir: string): Promise<void> {
  const { script: bundled, style } = await bundle();
  const script = inlineSafe(bundled);
  const icon = `data:image/svg+xml;base64,${readFileSync(join(root, "src/theme/icon.svg"), "base64")}`;
  const page = pageHtml({ policy: policyFor(script, [style, await readableStyle()]), style, icon, script });
  writeFileSync(join(outDir, "standalone.html"), page);
}

async function bundle(): Promise<{ script: string; style: string }> {
  const built = await build({
    root,
    configFile: false,
    logLevel: "warn",
    plugins: [resolveDragoman(), react()],
    build: {
      write: false,
      ...browsers,
      cssCodeSplit: false,
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        // Only the bundler's helper for preloads uses it, and there are none.
        transform: { define: { "import.meta": "{}" } },
        input: join(root, "src/viewer/pages/standalone-page.tsx"),
        // A worker that a file starts cannot be a module.
        output: { format: "iife", codeSplitting: false },
      },
    },
  });
  const [result] = Array.isArray(built) ? built : [built];
  if (result === undefined || !("output" in result)) throw new Error("the viewer was not built");
  const scripts = result.output.flatMap((file) => (file.type === "chunk" ? [file.code] : []));
  const styles = result.output.flatMap((file) =>
    file.type === "asset" && file.fileName.endsWith(".css") ? [String(file.source)] : [],
  );
  const [script, ...others] = scripts;
  if (script === undefined || others.length > 0) throw new Error("the viewer is not one script");
  return { script, style: styles.join("\n") };
}

/** Escapes what would end the script element or begin a comment in it. The escapes mean the same in strings and patterns. */
function inlineSafe(script: string): string {
  return script.replace(/<(?=\/script|!--)/gi, "\\x3c").replaceAll("\r", "\\r");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function policyFor(script: string, styles: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    // The viewer's, and that of the text for readers without scripts.
    `style-src ${styles.map(hashOf).join(" ")}`,
    "img-src data: blob:",
    "media-src data:",
    // The page's script again, for large files.
    "worker-src blob:",
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}
