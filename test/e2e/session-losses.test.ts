import { expect, test } from "vitest";
import { modelServer } from "../fakes/model-server.js";
import { says } from "../fakes/scripted-model.js";
import { sessionHome } from "../support/session-home.js";

const { put, path, dragoman, sessions, made } = sessionHome();
const server = modelServer();

const voice =
  '{"role":"user","content":[{"type":"text","text":"Listen:"},{"type":"audio","data":"AAAA","mimeType":"audio/ogg"}],"timestamp":1768469400000}\n';

function chat(args: string[]) {
  const providers = { anthropic: { apiKey: "k", baseUrl: server.url } };
  put("home/config.json", JSON.stringify({ model: "anthropic/claude-opus-4-6", providers }));
  return dragoman(["chat", "-p", ...args], "", { DRAGOMAN_HOME: path("home") });
}

test("chat names what a request does not carry once, and `sessions show` lists it", async () => {
  server.serve("anthropic", [says("To what?"), says("I see.")]);
  const id = await made(["import", "-", "--from", "openclaw"], voice);
  const first = await chat(["-s", id, "What is it?"]);
  expect(first).toMatchObject({ code: 0, stdout: "To what?\n" });
  const notice =
    "Request to anthropic/claude-opus-4-6: left out audio (this API does not accept it; a text is sent in its place)";
  expect(first.stderr).toContain(`${notice}; details: dragoman sessions show ${id} --losses\n`);
  const second = await chat(["-s", id, "Birds."]);
  expect(second.stderr).not.toContain("Request to");
  const { stdout: shown } = await sessions(["show", id]);
  expect(shown).toContain(`\n${notice}\n`);
  const { stdout: listed } = await sessions(["show", id, "--losses"]);
  expect(listed).toContain(
    `\n${notice}\n  left out audio (this API does not accept it; a text is sent in its place) at /messages/1/content/1\n`,
  );
});

test("`chat --json` has a line of its own for what a request does not carry", async () => {
  server.serve("anthropic", [says("To what?")]);
  const id = await made(["import", "-", "--from", "openclaw"], voice);
  const { stdout } = await chat(["--json", "-s", id, "What is it?"]);
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ type }) => type === "losses")).toEqual([
    {
      type: "losses",
      border: "request",
      target: "anthropic/claude-opus-4-6",
      losses: [
        {
          at: "/messages/1/content/1",
          what: "audio",
          why: "this API does not accept it; a text is sent in its place",
          severity: "dropped",
        },
      ],
    },
  ]);
});

test("what an import leaves out is stored with the session", async () => {
  const time = '"timestamp":"2026-01-05T09:00:01.000Z"';
  const said = (text: string) => `"message":{"role":"user","content":"${text}","timestamp":1767603601000}`;
  const branched = [
    `{"type":"session","version":3,"id":"s",${time},"cwd":""}`,
    `{"type":"message","id":"a","parentId":null,${time},${said("root")}}`,
    `{"type":"message","id":"b","parentId":"a",${time},${said("left")}}`,
    `{"type":"message","id":"c","parentId":"a",${time},${said("right")}}`,
    "",
  ].join("\n");
  const id = await made(["import", "-", "--from", "pi"], branched);
  const { stdout } = await sessions(["show", id]);
  expect(stdout).toContain("\nImport from pi: left out the user message (it is on another branch)\n");
});

test("an agent on a demo model names the media that the model does not read", async () => {
  const id = await made(["import", "-", "--from", "openclaw"], voice);
  put("home/config.json", JSON.stringify({ model: "demo/echo" }));
  const { stdout, stderr } = await dragoman(["chat", "-p", "-s", id, "What is it?"], "", {
    DRAGOMAN_HOME: path("home"),
  });
  expect(stdout).toBe("What is it?\n");
  expect(stderr).toContain("Request to demo/echo: left out audio (the model accepts only text); details:");
});
