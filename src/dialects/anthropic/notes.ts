import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

export const { notesOf, extWith, addNotes, appendNote, withNotes } = ownNotes(NAME);
