import { expect, test } from "vitest";
import type { JsonRpcMessage } from "../checks.js";
import { Connection } from "./connection.js";
import type { TransportEvents } from "./transport.js";

/** A connection to a server that is played by the test, over a pipe. */
function connect() {
  const sent: JsonRpcMessage[] = [];
  let server: TransportEvents | undefined;
  const connection = new Connection(
    (events) => {
      server = events;
      return {
        kind: "stdio",
        send: async (message) => void sent.push(message),
        begin: () => undefined,
        close: async () => undefined,
      };
    },
    { onNotification: () => undefined, onClose: () => undefined, onLine: () => undefined },
  );
  const receive = async (message: object) => {
    server?.onMessage({ jsonrpc: "2.0", ...message });
    await new Promise(setImmediate);
  };
  return {
    /** The questions that a session is shown, which are answered by the returned functions. */
    call(session: string, shown: string[]) {
      const answers: ((text: string) => void)[] = [];
      const result = connection.request(
        "tools/call",
        { session },
        {
          onQuestion: (_, { message }, signal) =>
            new Promise((resolve, reject) => {
              shown.push(`${session}: ${message}`);
              answers.push((text) => resolve({ text }));
              signal.addEventListener("abort", () => reject(new Error("withdrawn")));
            }),
        },
      );
      return { result, answers };
    },
    ask: (id: string, message: string) => receive({ id, method: "elicitation/create", params: { message } }),
    cancel: (requestId: string) => receive({ method: "notifications/cancelled", params: { requestId } }),
    end: (id: number) => receive({ id, result: {} }),
    /** What was sent in answer to a question. */
    answerTo: (id: string) =>
      sent.filter((message) => "id" in message && message.id === id).map(({ jsonrpc: _, ...rest }) => rest),
  };
}

const REFUSED = { code: -32601, message: "the client does not support elicitation/create here" };

test("a question during two calls waits until one of them has ended, and is then the other's", async () => {
  const server = connect();
  const shown: string[] = [];
  const first = server.call("a", shown);
  await server.ask("q1", "Colour?");
  const second = server.call("b", shown);
  await server.ask("q2", "Size?");
  expect(shown).toEqual(["a: Colour?"]);
  first.answers[0]?.("red");
  await server.end(1);
  await first.result;
  expect(shown).toEqual(["a: Colour?", "b: Size?"]);
  second.answers[0]?.("small");
  await server.end(2);
  await second.result;
  expect(server.answerTo("q1")).toEqual([{ id: "q1", result: { text: "red" } }]);
  expect(server.answerTo("q2")).toEqual([{ id: "q2", result: { text: "small" } }]);
});

test("if both of two calls may wait for an answer, the newer question is refused", async () => {
  const server = connect();
  const shown: string[] = [];
  const first = server.call("a", shown);
  const second = server.call("b", shown);
  await server.ask("q1", "Colour?");
  await server.ask("q2", "Size?");
  expect(shown).toEqual([]);
  expect(server.answerTo("q2")).toEqual([{ id: "q2", error: REFUSED }]);
  await server.end(2);
  await second.result;
  expect(shown).toEqual(["a: Colour?"]);
  first.answers[0]?.("red");
  await server.end(1);
  await first.result;
  expect(server.answerTo("q1")).toEqual([{ id: "q1", result: { text: "red" } }]);
});

test("two questions that wait for a third call are not left without an end", async () => {
  const server = connect();
  const shown: string[] = [];
  const first = server.call("a", shown);
  await server.ask("q1", "Colour?");
  const others = [server.call("b", shown), server.call("c", shown)];
  await server.ask("q2", "Size?");
  await server.ask("q3", "Shape?");
  first.answers[0]?.("red");
  await server.end(1);
  await first.result;
  expect(shown).toEqual(["a: Colour?"]);
  expect(server.answerTo("q3")).toEqual([{ id: "q3", error: REFUSED }]);
  await server.end(3);
  await others[1]?.result;
  expect(shown).toEqual(["a: Colour?", "b: Size?"]);
});

test("a question that the server cancels is withdrawn, whether it is shown or waits, and gets no answer", async () => {
  const server = connect();
  const shown: string[] = [];
  void server.call("a", shown);
  await server.ask("q1", "Colour?");
  const second = server.call("b", shown);
  await server.ask("q2", "Size?");
  await server.cancel("q2");
  await server.cancel("q1");
  await server.end(1);
  expect(shown).toEqual(["a: Colour?"]);
  await server.ask("q3", "Shape?");
  expect(shown).toEqual(["a: Colour?", "b: Shape?"]);
  second.answers[0]?.("round");
  await server.end(2);
  await second.result;
  expect(["q1", "q2"].flatMap(server.answerTo)).toEqual([]);
});
