// A terminal client for the UI message stream: node chat.mjs http://127.0.0.1:18800 CHAT_ID
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline/promises";

const [, , gateway = "http://127.0.0.1:18800", id = randomUUID()] = process.argv;
const api = `${gateway}/ai-sdk/main/chat`;
const headers = { authorization: `Bearer ${process.env.DRAGOMAN_TOKEN}` };

async function show(response) {
  if (response.status === 204) return;
  if (!response.ok) throw new Error(await response.text());
  let text = "";
  for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (text + bytes).split("\n\n");
    text = events.pop();
    for (const event of events) {
      if (!event.startsWith("data: {")) continue;
      const chunk = JSON.parse(event.slice(6));
      if (chunk.type === "text-delta") process.stdout.write(chunk.delta);
      if (chunk.type === "tool-input-available") process.stdout.write(`\n[${chunk.toolName}]\n`);
      if (chunk.type === "error") throw new Error(chunk.errorText);
      if (chunk.type === "finish" || chunk.type === "abort") process.stdout.write("\n");
    }
  }
}

await show(await fetch(`${api}/${id}/stream`, { headers }));
for await (const line of createInterface({ input: process.stdin })) {
  const messages = [{ id: randomUUID(), role: "user", parts: [{ type: "text", text: line }] }];
  await show(await fetch(api, { method: "POST", headers, body: JSON.stringify({ id, messages }) }));
}
