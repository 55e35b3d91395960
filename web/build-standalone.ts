import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { build } from "vite";
import { browsers } from "./browsers.js";
import { resolveDragoman } from "./resolve-dragoman.js";

const root = fileURLToPath(new URL("./", import.meta.url));

/**
 * Builds the viewer as one self-contained page into which a transcript can be embedded. The content security policy allows
 * its one script and one style by hash, and lets the page load nothing.
 */
export async function buildStandalone(outDir: string): Promise<void> {
  const { script, style } = await bundle();
  const icon = readFileSync(join(root, "src/theme/icon.svg"), "base64");
  writeFileSync(join(outDir, "standalone.html"), page(inlineSafe(script), style, icon));
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
        input: join(root, "src/viewer/pages/standalone-page.tsx"),
        output: { codeSplitting: false },
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

function page(script: string, style: string, icon: string): string {
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:image/svg+xml;base64,${icon}">
<title>Transcript · Dragoman</title>
<style>${style}</style>
</head>
<body>
<div id="root"></div>
<noscript>The viewer needs JavaScript.</noscript>
<script type="text/plain" id="transcript"></script>
<script type="module">${script}</script>
</body>
</html>
`;
}
