import { expectTypeOf, test } from "vitest";
import type { AgentMessage, CustomAgentMessages, Ext } from "./index.js";

type NoteMessage = {
  role: "note";
  text: string;
  timestamp: number;
  ext?: Ext;
  id?: string;
  parentId?: string | null;
  sender?: string;
};

declare module "./index.js" {
  interface CustomAgentMessages {
    note: NoteMessage;
  }
}

test("programs add roles of their own by declaration merging", () => {
  expectTypeOf<CustomAgentMessages["note"]>().toEqualTypeOf<NoteMessage>();
  expectTypeOf<Extract<AgentMessage, { role: "note" }>>().toEqualTypeOf<NoteMessage>();
});
