import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { ClientPresence } from "./client-presence.js";

/** A response that can be closed, finished or not. */
class Response extends EventEmitter implements Pick<ServerResponse, "writableFinished"> {
  writableFinished = false;
}

function present() {
  const response = new Response();
  return { response, client: new ClientPresence(response as Response & ServerResponse) };
}

test("a client that closes the connection before the end has left", () => {
  const { response, client } = present();
  const heard: string[] = [];
  client.onLeave(() => heard.push("one"));
  client.onLeave(() => heard.push("removed"))();
  const { signal } = client;
  expect([client.hasLeft, signal.aborted]).toEqual([false, false]);
  response.emit("close");
  expect([client.hasLeft, signal.aborted, heard]).toEqual([true, true, ["one"]]);
  client.onLeave(() => heard.push("late"));
  expect(heard).toEqual(["one", "late"]);
});

test("the signal is aborted if it is first read after the client has left", () => {
  const { response, client } = present();
  response.emit("close");
  expect(client.signal.aborted).toBe(true);
});

test("a client that has the whole answer has not left", () => {
  const { response, client } = present();
  response.writableFinished = true;
  response.emit("close");
  expect([client.hasLeft, client.signal.aborted]).toEqual([false, false]);
});
