import { describe, expect, test } from "vitest";
import { admit, release } from "./admit.js";
import { DragomanError } from "./error.js";

const user = { role: "user", content: "Hello", timestamp: 1_700_000_000_000 };

describe("admit", () => {
  test("takes a message as it stands, in an object of its own", () => {
    const message = admit(user, "openclaw");
    expect(message).toEqual({ role: "user", content: "Hello", timestamp: 1_700_000_000_000 });
    expect(message).not.toBe(user);
  });

  test("fills in what is missing, and says so", () => {
    const record = { role: "user", content: "Hello" };
    expect(admit(record, "openclaw")).toEqual({
      role: "user",
      content: "Hello",
      timestamp: 0,
      ext: { synthesised: ["/timestamp"], openclaw: { absent: ["/timestamp"] } },
    });
    expect(release(admit(record, "openclaw"), "openclaw")).toEqual({ role: "user", content: "Hello" });
  });

  test("wraps a block that is opaque for this dialect already once more", () => {
    const block = { type: "opaque", dialect: "openclaw", value: 1 };
    const record = { ...user, content: [block] };
    expect(admit(record, "openclaw")).toEqual({
      ...user,
      content: [
        { type: "opaque", dialect: "openclaw", value: { type: "opaque", dialect: "openclaw", value: 1 } },
      ],
    });
    expect(admit(record, "pi")).toEqual(record);
  });

  test.each(["toString", "constructor", "__proto__"])("passes a role called %s like any other", (role) => {
    expect(admit({ role, note: 1, timestamp: 2 }, "openclaw")).toEqual({ role, note: 1, timestamp: 2 });
  });

  test("refuses what is no message", () => {
    expect(() => admit({ role: "user", content: 7, timestamp: 1 }, "openclaw")).toThrow(DragomanError);
  });
});
