import { UsageReport } from "../../runtime/usage/report.js";
import type { Methods } from "./context.js";

export const usageMethods: Methods<"usage"> = {
  async "usage.list"({ by = "model", since, until }, { gateway: { runtime, tokens }, permit }) {
    const isVisible = (token: string) => permit.scope === "admin" || token === permit.token;
    const report = new UsageReport(by);
    await runtime.usage.read({ since, until }, (record) => {
      if (isVisible(record.token)) report.add(record);
    });
    const known = await tokens.list();
    const titles = new Map(by === "token" ? known.map(({ id, name }) => [id, name]) : []);
    const rows = report.rows().map((row) => {
      const title = titles.get(row.name);
      return title === undefined ? row : { ...row, title };
    });
    const budgets = [];
    for (const { id, name } of known.filter(({ id }) => isVisible(id))) {
      const status = await runtime.usage.status(id);
      if (status !== undefined) budgets.push({ token: id, name, ...status });
    }
    return { rows, total: report.total, budgets };
  },
};
