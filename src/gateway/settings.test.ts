import { expect, test } from "vitest";
import { isLoopback, settingsOf } from "./settings.js";

test("the command line wins over the environment, that over the configuration, that over the defaults", () => {
  const config = { gateway: { host: "10.0.0.1", port: 1, limits: { bodyBytes: 5 } } };
  const env = { DRAGOMAN_HOST: "10.0.0.2", DRAGOMAN_PORT: "2" };
  const place = ({ host, port }: { host: string; port: number }) => `${host} ${port}`;
  expect(place(settingsOf({}, {}))).toBe("127.0.0.1 18800");
  expect(place(settingsOf(config, {}))).toBe("10.0.0.1 1");
  expect(place(settingsOf(config, { DRAGOMAN_HOST: "", DRAGOMAN_PORT: "" }))).toBe("10.0.0.1 1");
  expect(place(settingsOf(config, env))).toBe("10.0.0.2 2");
  expect(place(settingsOf(config, env, { host: "[::1]", port: "0" }))).toBe("::1 0");
  expect(settingsOf(config, {}).limits).toEqual({
    bodyBytes: 5,
    frameBytes: 16_777_216,
    unreadBytes: 8_388_608,
    connections: 2048,
    requestsPerMinute: 600,
  });
});

test.each(["", "-1", "65536", "1e3", "80a", "0x50"])("%j is no port", (port) => {
  expect(() => settingsOf({}, {}, { port })).toThrow(expect.objectContaining({ code: "config/invalid" }));
});

test.each([
  ["127.0.0.1", true],
  ["127.9.9.9", true],
  ["localhost", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["0.0.0.0", false],
  ["::", false],
  ["192.168.1.2", false],
  ["127.0.0.1.example.com", false],
  ["localhost.example.com", false],
])("%s is of this computer only: %s", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

test("a platform may call it by the name that it was given", () => {
  const telegram = {
    default: { webhookUrl: "https://Agents.example.com/channels/telegram/default" },
    other: {},
  };
  expect(settingsOf({ gateway: { hosts: ["Me.example.com"] }, channels: { telegram } }, {}).hosts).toEqual([
    "me.example.com",
    "agents.example.com",
  ]);
});
