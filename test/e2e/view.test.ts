import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { gunzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { main, workspace } from "../support/cli/run-cli.js";
import { startView } from "../support/cli/view-process.js";

const { path, put, get, files, dragoman } = workspace();

const nasty = '</script><script>alert(1)</script><!-- \u2028 "quoted" ünïcödé';
const transcript = `${JSON.stringify({ role: "user", content: nasty, timestamp: 1 })}\n`;

/** With any headers, which `fetch` does not allow. */
function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}

describe("dragoman view", () => {
  test("serves the viewer under a strict policy, and the file to whoever has the key", async () => {
    put("session.jsonl", transcript);
    const { url, key } = await startView([path("session.jsonl")]);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(key).toMatch(/^dgm_[\w-]{43}$/);

    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    const html = await page.text();
    expect(html).not.toContain(key);
    const [, script = ""] = /src="(\/assets\/[^"]+\.js)"/.exec(html) ?? [];
    expect((await fetch(`${url}${script}`)).status).toBe(200);

    const file = await fetch(`${url}/view/transcript`, { headers: { authorization: `Bearer ${key}` } });
    expect([file.status, file.headers.get("content-type"), file.headers.get("cache-control")]).toEqual([
      200,
      "application/octet-stream",
      "no-store",
    ]);
    expect(await file.text()).toBe(`{"name":"session.jsonl"}\n${transcript}`);
  });

  test("gives the file to nobody else", async () => {
    put("session.jsonl", transcript);
    const { url, key } = await startView([path("session.jsonl"), "--from", "openclaw"]);
    const file = `${url}/view/transcript`;
    const bearer = { authorization: `Bearer ${key}` };
    expect(await statusOf(file, {})).toBe(401);
    expect(await statusOf(file, { authorization: `Bearer ${key.slice(0, -1)}_` })).toBe(401);
    expect(await statusOf(`${file}?token=${key}`, bearer)).toBe(400);
    expect(await statusOf(file, { ...bearer, host: "evil.example" })).toBe(403);
    expect(await statusOf(file, { ...bearer, origin: "https://evil.example" })).toBe(403);
    expect((await fetch(file, { method: "POST", headers: bearer })).status).toBe(405);
    expect((await fetch(`${url}/etc/passwd`, { headers: bearer })).status).toBe(404);
    expect(await (await fetch(file, { headers: bearer })).text()).toBe(
      `{"name":"session.jsonl","dialect":"openclaw"}\n${transcript}`,
    );
  });

  test("is not too busy for a reader who reloads the page", async () => {
    put("session.jsonl", transcript);
    const { url } = await startView([path("session.jsonl")]);
    const statuses = new Set<number>();
    for (let reload = 0; reload < 10; reload++) {
      const files = await Promise.all(Array.from({ length: 110 }, () => fetch(`${url}/`)));
      for (const { status } of files) statuses.add(status);
    }
    expect([...statuses]).toEqual([200]);
  });

  test("prints the link as JSON", async () => {
    put("session.jsonl", transcript);
    const child = spawn(process.execPath, [main, "view", path("session.jsonl"), "--json"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    const { url } = JSON.parse(String(line));
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#key=dgm_[\w-]{43}$/);
  });

  test("ends with Ctrl-C", async () => {
    put("session.jsonl", transcript);
    const { child, ended } = await startView([path("session.jsonl")]);
    child.kill("SIGINT");
    expect(await ended).toBe(0);
  });

  test.each([
    [[], "missing argument FILE|SESSION"],
    [["no-such-file.jsonl"], 'no such file: "no-such-file.jsonl"'],
    [["session.jsonl", "--from", "latin"], 'unknown dialect "latin"'],
    [["session.jsonl", "--json", "--html", "-"], "--json and the page cannot both be written"],
    [["session.jsonl", "--json", "--follow"], "it cannot be combined with --json"],
    [["session.jsonl", "--port", "seventy"], '--port must be a number from 0 to 65535, not "seventy"'],
  ])("%j is refused", async (args, message) => {
    put("session.jsonl", transcript);
    const { code, stdout, stderr } = await dragoman(["view", ...args, "--home", path("home")]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });
});

describe("dragoman view --html", () => {
  /** What the page has in it. */
  function embedded(html: string): string {
    const [, base64 = ""] =
      /<script type="text\/plain" id="transcript">([A-Za-z0-9+/=]*)<\/script>/.exec(html) ?? [];
    return gunzipSync(Buffer.from(base64, "base64")).toString("utf8");
  }

  test("writes one page with everything in it", async () => {
    put("session.jsonl", transcript);
    const { code, stdout, stderr } = await dragoman(["view", "session.jsonl", "--html", "out.html"]);
    expect([code, stdout, stderr]).toEqual([0, "", "wrote out.html (self-contained, no server needed)\n"]);
    expect(files()).toEqual(["out.html", "session.jsonl"]);
    expect(await dragoman(["view", "session.jsonl", "--html", "out.html", "--json"])).toEqual({
      code: 0,
      stdout: '{"file":"out.html"}\n',
      stderr: "",
    });
    const html = get("out.html");
    expect(embedded(html)).toBe(`{"name":"session.jsonl"}\n${transcript}`);
    expect(html).not.toMatch(/<script>alert|<img [^>]*onerror/);
    const outside = html.slice(0, html.indexOf('<script type="module">'));
    expect([...outside.matchAll(/ (?:src|href)="([a-z]*:?)/g)].map(([, scheme]) => scheme)).toEqual([
      "data:",
    ]);
  });

  test("its policy names the script and the style by their hashes, and allows nothing else", async () => {
    put("session.jsonl", transcript);
    await dragoman(["view", "session.jsonl", "--html", "out.html"]);
    const html = get("out.html");
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html) ?? [];
    const [, script = ""] = /<script type="module">([\s\S]*)<\/script>\s*<\/body>/.exec(html) ?? [];
    const [style = "", textStyle = ""] = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(
      ([, one = ""]) => one,
    );
    const hash = (text: string) => createHash("sha256").update(text).digest("base64");
    expect(policy).toBe(
      `default-src 'none'; script-src 'sha256-${hash(script)}'; style-src 'sha256-${hash(style)}' 'sha256-${hash(textStyle)}'; img-src data: blob:; media-src data:; worker-src blob:; connect-src 'none'; base-uri 'none'; form-action 'none'`,
    );
    expect(/<\/script|<!--/i.test(script)).toBe(false);
  });

  test("goes through pipes", async () => {
    const { code, stdout, stderr } = await dragoman(["view", "-", "--html", "-"], transcript);
    expect([code, stderr]).toEqual([0, ""]);
    expect(embedded(stdout)).toBe(`{"name":"standard input"}\n${transcript}`);
  });

  test("without a file, writes the viewer alone", async () => {
    const { code, stdout, stderr } = await dragoman(["view", "--html", "viewer.html"]);
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toBe("wrote viewer.html (the viewer without a transcript, no server needed)\n");
    expect(get("viewer.html")).toContain('<script type="text/plain" id="transcript"></script>');
    const json = await dragoman(["view", "--html", "viewer.html", "--json"]);
    expect(JSON.parse(json.stdout)).toEqual({ file: "viewer.html" });
  });

  test.each([
    [[], "missing argument FILE|SESSION"],
    [["--html", "viewer.html", "--from", "pi"], "--from needs FILE or SESSION"],
    [["--html", "viewer.html", "--follow"], "--follow needs FILE or SESSION"],
  ])("without a file, %j is refused", async (options, message) => {
    const { code, stderr } = await dragoman(["view", ...options]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(files()).toEqual([]);
  });

  test("never writes over its input", async () => {
    put("session.jsonl", transcript);
    const { code, stderr } = await dragoman(["view", "session.jsonl", "--html", "session.jsonl"]);
    expect(code).toBe(2);
    expect(stderr).toContain('"session.jsonl" is the input itself');
    expect(get("session.jsonl")).toBe(transcript);
  });

  test("finds a session by its id", async () => {
    put("chat.jsonl", transcript);
    const home = ["--home", path("home")];
    const { stdout: id } = await dragoman(["sessions", "import", "chat.jsonl", ...home]);
    const { code, stdout, stderr } = await dragoman(["view", id.trim(), "--html", "-", ...home]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(embedded(stdout)).toContain(JSON.stringify(nasty));
  });
});
