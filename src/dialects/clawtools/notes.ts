import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

/*
 * What is kept under `ext.clawtools`. Of a message:
 *
 *   absent      ["isError"]          fields of the format that were not there
 *   fields      {…}                  fields that neither the format nor the model has
 *   also        ["timestamp"]        fields that the model has and the format does not, which were there all the same
 *   content     "string" | "null"    the content was not an array of blocks
 *   stray       true                 the message has a role that the format does not have
 *
 * and of a block:
 *
 *   fields      {…}
 *   imageUrl    {…}                  what stood beside `url` in the `image_url` of an image
 *   plainImage  true                 the image stood there as an `image` block, where `encode` writes an `image_url` block
 *   arguments   …                    the arguments of a tool call, when they were no object
 */
export const { notesOf, extWith } = ownNotes(NAME);
