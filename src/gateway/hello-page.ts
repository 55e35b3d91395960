import { createHash } from "node:crypto";
import type { HttpReply } from "./types.js";

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 42rem; margin: 4rem auto; padding: 0 1rem; }
  pre { padding: 1rem; border-radius: .5rem; background: color-mix(in srgb, currentColor 8%, transparent); overflow: auto; }
`;

const styleHash = createHash("sha256").update(style).digest("base64");

/** What somebody sees who opens the gateway's address in a browser. It runs no script and fetches nothing. */
export function helloPage({ host }: URL): HttpReply {
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
    body: html(host),
  };
}

/** The host was found to be a name with a port before anything is answered. */
function html(host: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dragoman</title>
<style>${style}</style>
<h1>The gateway is running</h1>
<p>Programs connect with a token. The link that <code>dragoman serve</code> prints has one; <code>dragoman token create</code> makes more.</p>
<pre>curl -H "Authorization: Bearer $TOKEN" http://${host}/metrics</pre>
<p>A browser's WebSocket offers the subprotocols <code>dragoman.v1</code> and <code>bearer.TOKEN</code>. A token never goes into a query string.</p>
</html>
`;
}
