import { expect, test } from "vitest";
import { testGateway } from "../../../test/fakes/gateway.js";

/** The name of the first script that a page loads. */
async function scriptOf(page: Response): Promise<string> {
  const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? [];
  if (script === undefined) throw new Error("the page loads no script");
  return script;
}

test.each(["/", "/view"])("%s is a page for anybody, with a strict policy", async (path) => {
  const gateway = await testGateway([]);
  const page = await gateway.fetch(path, { token: null });
  expect(page.status).toBe(200);
  expect(Object.fromEntries(page.headers)).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "content-encoding": "gzip",
    "content-security-policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
  });
  const html = await page.text();
  expect(html).toContain('<div id="root"></div>');
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=/);
});

test("/view/page is the viewer as one file, to put a transcript into", async () => {
  const gateway = await testGateway([]);
  const page = await gateway.fetch("/view/page", { token: null });
  expect(page.status).toBe(200);
  const html = await page.text();
  expect(html.includes('<script type="text/plain" id="transcript"></script>')).toBe(true);
  expect(html.includes('src="/')).toBe(false);
});

test("a page that has not changed is not sent again", async () => {
  const gateway = await testGateway([]);
  const etag = (await gateway.fetch("/", { token: null })).headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[\w-]{43}"$/);
  const again = await gateway.fetch("/", { token: null, headers: { "if-none-match": etag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test("assets are kept for ever, and are the same without compression", async () => {
  const gateway = await testGateway([]);
  const name = await scriptOf(await gateway.fetch("/", { token: null }));
  const zipped = await gateway.fetch(name, { token: null });
  expect(Object.fromEntries(zipped.headers)).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "content-encoding": "gzip",
    "cache-control": "public, max-age=31536000, immutable",
    vary: "Accept-Encoding, Origin",
  });
  const plain = await gateway.fetch(name, { token: null, headers: { "accept-encoding": "identity" } });
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(await plain.text()).toBe(await zipped.text());
});

test.each([
  "/assets/no-such.js",
  "/assets/..%2Findex.html",
  "/assets/..%2F..%2Fcli%2Fmain.js",
  "/assets/.js",
  "/assets/app.js.gz",
  "/assets/%00.js",
])("%s is nothing", async (path) => {
  const gateway = await testGateway([]);
  expect((await gateway.fetch(path, { token: null })).status).toBe(404);
});
