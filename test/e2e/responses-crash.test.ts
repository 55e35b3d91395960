import OpenAI from "openai";
import { expect, test } from "vitest";
import { workspace } from "../support/cli/run-cli.js";
import { startServe } from "../support/cli/serve-process.js";

const KILLS = 4;
/** How many responses are acknowledged before each kill, while others are under way. */
const ACKNOWLEDGED = 6;

const { path, put, dragoman } = workspace();

test("what a client was given survives kill -9: responses, chains and conversations", async () => {
  put("home/config.json", JSON.stringify({ model: "demo/echo" }));
  const { stdout } = await dragoman(["token", "create", "--scope", "chat", "--home", path("home")]);
  const given = new Map<string, string>();
  const said: string[] = [];
  let last: string | null = null;
  let conversation = "";
  for (let round = 0; round <= KILLS; round++) {
    const server = await startServe(path("home"));
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: stdout.trim(), maxRetries: 0 });
    const ask = async (input: string, state: object): Promise<string> => {
      const body = { model: "demo/echo", input, ...state };
      const response = await client.responses.stream(body).finalResponse();
      given.set(response.id, input);
      return response.id;
    };
    if (conversation === "") ({ id: conversation } = await client.conversations.create());

    for (const [id, text] of given) {
      expect((await client.responses.retrieve(id)).output_text).toBe(text);
    }
    const items: string[] = [];
    for await (const item of client.conversations.items.list(conversation, { order: "asc", limit: 100 })) {
      if (item.type === "message")
        items.push(item.content.map((part) => "text" in part && part.text).join(""));
    }
    // A response that was under way may be there as well, whole.
    expect(items.filter((text) => said.includes(text))).toEqual(said.flatMap((text) => [text, text]));
    expect(items.length % 2).toBe(0);
    if (round === KILLS) {
      expect(given.size).toBe(KILLS * ACKNOWLEDGED * 2);
      server.child.kill("SIGTERM");
      await server.ended;
      return;
    }

    for (let count = 0; count < ACKNOWLEDGED; count++) {
      last = await ask(`chain ${round} ${count}`, { previous_response_id: last });
      const text = `talk ${round} ${count}`;
      await ask(text, { conversation });
      said.push(text);
    }
    const underWay = Promise.allSettled([
      client.responses.create({ model: "demo/echo", input: `lost ${round}`, previous_response_id: last }),
      client.responses.create({ model: "demo/echo", input: `lost ${round}`, conversation }),
    ]);
    server.child.kill("SIGKILL");
    await server.ended;
    await underWay;
  }
});
