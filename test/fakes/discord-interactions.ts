import { isObject } from "../../src/core/json/value.js";

/** Discord forgets an interaction that is not answered in this time. */
const ANSWER_MS = 3000;

interface Interaction {
  token: string;
  at: number;
  answer?: unknown;
}

/** Pressed buttons, and the answers to them, by Discord's rules: each is answered once, within three seconds. */
export class DiscordInteractions {
  readonly #open = new Map<string, Interaction>();
  #next = 700;

  /** A new interaction's id and token. */
  begin(): { id: string; token: string } {
    const id = String(this.#next++);
    const token = `aW50ZXJhY3Rpb246-${id}`;
    this.#open.set(id, { token, at: Date.now() });
    return { id, token };
  }

  /** What Discord answers to `POST /interactions/ID/TOKEN/callback`. */
  answer(id: string, token: string, body: unknown): { status: number; json?: object } {
    const interaction = this.#open.get(id);
    if (interaction?.token !== token || Date.now() - interaction.at > ANSWER_MS)
      return { status: 404, json: { message: "Unknown interaction", code: 10062 } };
    if (interaction.answer !== undefined)
      return { status: 400, json: { message: "Interaction has already been acknowledged.", code: 40060 } };
    const { type, data } = isObject(body) ? body : {};
    const isReply = type === 4 && isObject(data) && typeof data["content"] === "string";
    if (!isReply && type !== 6) return { status: 400, json: { message: "Invalid Form Body", code: 50035 } };
    interaction.answer = isReply ? data : {};
    return { status: 204 };
  }

  /** The answers so far, in the order of the presses. */
  get answers(): unknown[] {
    return [...this.#open.values()].flatMap(({ answer }) => (answer === undefined ? [] : [answer]));
  }
}

/** What Discord refuses of a message's buttons. */
export function componentProblem(components: unknown): string | undefined {
  if (components === undefined) return undefined;
  if (!Array.isArray(components) || components.length > 5) return "components: at most 5 rows";
  for (const row of components.map(Object)) {
    const buttons: unknown[] = Array.isArray(row.components) ? row.components : [];
    if (row.type !== 1 || buttons.length < 1 || buttons.length > 5) return "a row has 1 to 5 buttons";
    for (const { type, style, label, custom_id } of buttons.map(Object)) {
      if (type !== 2 || ![1, 2, 3, 4].includes(style)) return "not a button";
      if (typeof label !== "string" || label === "" || label.length > 80) return "label: 1 to 80 characters";
      if (typeof custom_id !== "string" || custom_id === "" || custom_id.length > 100)
        return "custom_id: 1 to 100 characters";
    }
  }
  return undefined;
}
