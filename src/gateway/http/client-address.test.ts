import { expect, test } from "vitest";
import { clientAddress } from "./client-address.js";

test.each([
  ["no proxy is configured", "10.0.0.1", "203.0.113.9", [], "10.0.0.1"],
  ["the connection is not from the proxy", "10.0.0.7", "203.0.113.9", ["10.0.0.1"], "10.0.0.7"],
  ["the proxy names its client", "10.0.0.1", "203.0.113.9", ["10.0.0.1"], "203.0.113.9"],
  [
    "the client made up an address before it",
    "10.0.0.1",
    "6.6.6.6, 203.0.113.9",
    ["10.0.0.1"],
    "203.0.113.9",
  ],
  [
    "the header in two lines, the first of them made up",
    "10.0.0.1",
    ["6.6.6.6", "203.0.113.9"],
    ["10.0.0.1"],
    "203.0.113.9",
  ],
  ["two proxies in a row", "10.0.0.1", "203.0.113.9, 10.0.0.2", ["10.0.0.1", "10.0.0.2"], "203.0.113.9"],
  ["the proxy names nobody", "10.0.0.1", undefined, ["10.0.0.1"], "10.0.0.1"],
  ["an empty header", "10.0.0.1", " , ", ["10.0.0.1"], "10.0.0.1"],
  ["IPv4 in IPv6", "::ffff:10.0.0.1", "::ffff:203.0.113.9", ["10.0.0.1"], "203.0.113.9"],
  ["a port", "10.0.0.1", "203.0.113.9:4711", ["10.0.0.1"], "203.0.113.9"],
  ["brackets", "::1", "[2001:DB8::1]:4711", ["::1"], "2001:db8::1"],
  ["a closed connection", undefined, "203.0.113.9", ["10.0.0.1"], "unknown"],
])("%s", (_, connection, header, proxies, address) => {
  expect(clientAddress(connection, header, proxies)).toBe(address);
});
