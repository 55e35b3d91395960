/** The protocol version. A server refuses clients that request another one. */
export const PROTOCOL = 2;
