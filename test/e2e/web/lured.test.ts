import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { browserForFile, hasBrowser } from "./browser.js";
import { gatewayForFile } from "./gateway-for-file.js";

const gateway = gatewayForFile({ model: "demo/echo" });
const open = browserForFile();

/** A server of somebody else, and what it was asked. */
async function stranger(): Promise<{ host: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end();
  });
  server.on("upgrade", (request, socket) => {
    asked.push(request.url ?? "");
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
  });
  const { port } = Object(server.address());
  return { host: `127.0.0.1:${port}`, asked };
}

describe.skipIf(!hasBrowser)("a link that names another gateway", () => {
  test("is not followed, whatever it is called", async () => {
    const { host, asked } = await stranger();
    const { url, link } = gateway();
    const names = ["gatewayUrl", "gateway", "url", "host", "server", "ws"];
    const lure = new URLSearchParams(names.map((name) => [name, `ws://${host}/rpc`])).toString();
    const { page, troubles } = await open(`${url}/?${lure}#${link.slice(link.indexOf("#") + 1)}&${lure}`);
    await page.getByRole("textbox", { name: /Write a message|^Token$/ }).waitFor();
    expect({ asked, troubles }).toEqual({ asked: [], troubles: [] });
  });
});
