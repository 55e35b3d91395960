import { expect, test } from "vitest";
import { countLosses, MetricsRegistry } from "./metrics.js";

test("the text that Prometheus reads, with labels that cannot break out of their quotes", async () => {
  const metrics = new MetricsRegistry();
  metrics.count("b_total", { route: '/x"\n\\', method: "GET" });
  metrics.count("b_total", { method: "GET", route: '/x"\n\\' }, 2);
  metrics.count("b_total");
  metrics.count("a_total", { code: "1" });
  metrics.gauge("c", () => 1.5);
  expect(await metrics.text()).toBe(
    [
      "# TYPE a_total counter",
      'a_total{code="1"} 1',
      "# TYPE b_total counter",
      "b_total 1",
      'b_total{method="GET",route="/x\\"\\n\\\\"} 3',
      "# TYPE c gauge",
      "c 1.5",
      "",
    ].join("\n"),
  );
});

test("losses are counted by border, target and severity", async () => {
  const metrics = new MetricsRegistry();
  const loss = { at: "", what: "audio", why: "this API does not accept it", severity: "dropped" as const };
  countLosses(metrics, { border: "request", target: "ollama/qwen3", losses: [loss, loss] });
  expect(await metrics.text()).toContain(
    'dragoman_losses_total{border="request",severity="dropped",target="ollama/qwen3"} 2\n',
  );
});
