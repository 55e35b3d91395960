/** Of the protocol. A server refuses clients that ask for another one. */
export const PROTOCOL = 2;
