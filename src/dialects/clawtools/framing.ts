import { messageArray } from "../../core/records/message-array.js";

export const framing = messageArray("messages");
