import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { isAlive } from "../support/process-alive.js";
import { startRecorder } from "./recorder.js";
import { runProgram } from "./run-program.js";

const env = { PATH: process.env["PATH"] ?? "" };

test("a program that does not end is ended, with what it started", async () => {
  const command = ["sh", "-c", "sleep 600 & echo $!; wait"];
  const { code, stdout } = await runProgram({ command, cwd: "/", env, limit: 300 });
  expect(code).toBeUndefined();
  expect(isAlive(Number(stdout))).toBe(false);
});

test("a program is run without input and with no other environment", async () => {
  const command = ["sh", "-c", "cat; env | grep -c HOME; exit 3"];
  expect(await runProgram({ command, cwd: "/", env, limit: 10_000 })).toEqual({
    code: 3,
    stdout: "0\n",
    stderr: "",
  });
});

test("calls of other hosts are refused and noted; the one server's answers are recorded", async () => {
  const server = createServer((_, response) => response.writeHead(201, { "x-note": "n" }).end("ok"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const recorder = await startRecorder();
  onTestFinished(() => recorder.close());
  recorder.passOnTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  const answer = await fetch(`${recorder.url}/v1/x`, { method: "POST", body: "{}" });
  expect([answer.status, await answer.text()]).toEqual([201, "ok"]);
  expect(recorder.exchanges).toMatchObject([
    { method: "POST", path: "/v1/x", status: 201, headers: { "x-note": "n" }, text: "ok" },
  ]);

  const tunnel = connect(Number(new URL(recorder.url).port), "127.0.0.1");
  tunnel.write("CONNECT telemetry.test:443 HTTP/1.1\r\n\r\n");
  const refused = await new Promise<string>((resolve) =>
    tunnel.once("data", (data) => resolve(String(data))),
  );
  expect(refused).toMatch(/^HTTP\/1\.1 403 /);
  expect([...recorder.hosts]).toEqual(["telemetry.test"]);
});

test("the one server can be reached through the proxy too", async () => {
  const server = createServer((_, response) => response.writeHead(201).end("ok"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const recorder = await startRecorder();
  onTestFinished(() => recorder.close());
  recorder.passOnTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  const { host, port } = new URL(recorder.url);
  const tunnel = connect(Number(port), "127.0.0.1");
  tunnel.write(`CONNECT ${host} HTTP/1.1\r\n\r\n`);
  const opened = await new Promise<string>((resolve) => tunnel.once("data", (data) => resolve(String(data))));
  expect(opened).toMatch(/^HTTP\/1\.1 200 /);
  tunnel.write(`GET /v1/x HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  const answer = await new Promise<string>((resolve) => tunnel.once("data", (data) => resolve(String(data))));
  expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  expect([...recorder.hosts]).toEqual([]);
});
