/** Keeps the beginning and the end of a text of any length, in bounded memory. */
export class OutputWindow {
  readonly #headRoom: number;
  readonly #tailRoom: number;
  #head = "";
  #tail = "";
  #length = 0;

  constructor(maxCharacters: number) {
    this.#headRoom = Math.floor(maxCharacters / 2);
    this.#tailRoom = maxCharacters - this.#headRoom;
  }

  /** How much of it was cut out of the middle. */
  get cut(): number {
    return Math.max(0, this.#length - this.#headRoom - this.#tailRoom);
  }

  push(text: string): void {
    this.#length += text.length;
    const forHead = text.slice(0, this.#headRoom - this.#head.length);
    this.#head += forHead;
    this.#tail += text.slice(forHead.length);
    // Twice the room before cutting, so that many small pieces cost no more than few large ones.
    if (this.#tail.length > 2 * this.#tailRoom) this.#tail = this.#tail.slice(-this.#tailRoom);
  }

  /** With `note` between the two, when something was cut. */
  text(note: (cut: number) => string): string {
    if (this.cut === 0) return this.#head + this.#tail;
    const tail = this.#tail.slice(-this.#tailRoom);
    // A pair of surrogates that the cut has parted would be two characters that are none.
    return `${this.#head.replace(/[\ud800-\udbff]$/, "")}\n${note(this.cut)}\n${tail.replace(/^[\udc00-\udfff]/, "")}`;
  }
}
