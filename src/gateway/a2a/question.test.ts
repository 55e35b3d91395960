import { expect, test } from "vitest";
import { questionMessage } from "./question.js";

test("a form of an MCP server is asked with the schema of its values", () => {
  const toolCall = { type: "toolCall" as const, id: "c1", name: "travel__book", arguments: {} };
  const fields = [{ name: "seats", title: "Seats", type: "integer" as const, required: true }];
  const question = { server: "travel", message: "How many?", fields };
  const request = { id: "q1", toolCall, question, asked: 0, expires: 1000 };
  expect(questionMessage({ taskId: "t1", contextId: "c" }, [request]).parts).toEqual([
    { text: "How many?" },
    {
      data: {
        requestId: "q1",
        toolCall: { id: "c1", name: "travel__book", arguments: {} },
        valuesSchema: {
          type: "object",
          properties: { seats: { title: "Seats", type: "integer" } },
          required: ["seats"],
        },
        expiresAt: "1970-01-01T00:00:01.000Z",
      },
    },
  ]);
});
