import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { extname } from "node:path";
import { systemCode } from "../../log/files/disk-error.js";
import { notFound } from "../refusals.js";
import type { HttpReply, PublicPage } from "../types.js";

/** The built pages; the same relative path from `src` and from `dist`. */
const folder = new URL("../../../dist/web/", import.meta.url);

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

/** Only what the gateway serves, and no inline scripts or styles. */
export const webPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A page of the web app. The next version may change it, so browsers revalidate it each time. */
export async function webPage(name: `${string}.html`, headers: IncomingHttpHeaders): Promise<HttpReply> {
  const { bytes, encoding } = await built(name, headers);
  const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
  return reply(name, bytes, headers, {
    ...encoding,
    etag,
    "cache-control": "no-cache",
    "content-security-policy": webPolicy,
  });
}

/** A script, style or picture of the web app. Its name contains a hash or number of its content, so browsers cache it forever. */
async function webAsset(name: string, headers: IncomingHttpHeaders): Promise<HttpReply> {
  if (!/^[\w-]+(\.[\w-]+)+$/.test(name) || types[extname(name)] === undefined) throw notFound();
  const { bytes, encoding } = await built(`assets/${name}`, headers);
  return reply(name, bytes, headers, {
    ...encoding,
    // A worker has the policy of its script, not of the page that started it.
    "content-security-policy": "default-src 'none'; script-src 'self'",
    etag: `"${name}"`,
    "cache-control": "public, max-age=31536000, immutable",
  });
}

/** What the web app's pages and the viewer load. */
export const viewerPages: readonly PublicPage[] = [
  // The template that the viewer fills with a transcript to make a standalone page.
  { path: "/view/page", reply: ({ headers }) => webPage("standalone.html", headers) },
  { path: "/assets/:name", reply: ({ params, headers }) => webAsset(params["name"] ?? "", headers) },
];

interface BuiltFile {
  bytes: Uint8Array;
  encoding: Readonly<Record<string, string>>;
}

async function built(name: string, headers: IncomingHttpHeaders): Promise<BuiltFile> {
  const zipped = /\bgzip\b/.test(String(headers["accept-encoding"]));
  try {
    const bytes = await readFile(new URL(zipped ? `${name}.gz` : name, folder));
    const vary = { vary: "Accept-Encoding, Origin" };
    return { bytes, encoding: zipped ? { ...vary, "content-encoding": "gzip" } : vary };
  } catch (error) {
    if (systemCode(error) === "ENOENT") {
      throw notFound(name.endsWith(".html") ? "the web app is not built: run `npm run build`" : undefined);
    }
    throw error;
  }
}

function reply(
  name: string,
  body: Uint8Array,
  asked: IncomingHttpHeaders,
  headers: Readonly<Record<string, string>> & { etag: string },
): HttpReply {
  const known = asked["if-none-match"]?.split(",").some((tag) => tag.trim() === headers.etag);
  if (known === true) return { status: 304, headers };
  return { status: 200, headers: { ...headers, "content-type": types[extname(name)] ?? "" }, body };
}
