import type { AgentMessage } from "../../../src/core/types.js";
import { loadApi } from "../../../src/dialects/registry.js";
import type { ServedApi, strictProvider } from "../../fakes/strict/provider.js";
import type { Script } from "../../fakes/strict/script.js";

/** What the model answers to the prompt that continues a session. */
export const CONTINUED = "The session continues.";

/** Answers every request with one text. */
export const oneText: Script = ({ calls: number, tools }) => ({
  number,
  thinking: "",
  calls: [],
  text: tools.length === 0 ? "A title" : CONTINUED,
});

/** The messages of the request that a prompt ended, and the whole request as text. */
export async function requestWith(
  api: ServedApi,
  { requests }: Pick<Awaited<ReturnType<typeof strictProvider>>, "requests">,
  prompt: string,
): Promise<{ messages: readonly AgentMessage[]; whole: string } | undefined> {
  const { readRequest } = await loadApi(api);
  for (const { body } of requests) {
    const whole = JSON.stringify(body);
    const { messages, tools = [] } = readRequest(body).context;
    const last = JSON.stringify(messages.slice(-2));
    // A request without tools is a side job, such as a title.
    if (tools.length > 0 && last.includes(prompt)) return { messages, whole };
  }
  return undefined;
}
