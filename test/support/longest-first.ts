import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders by how long their files take, longest first. The short ones at the end let all workers finish together. */
const FOLDERS = ["test/e2e/web/", "test/e2e/", "test/integration/", "test/"];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort(
      (a, b) => Number(b.project.config.isolate) - Number(a.project.config.isolate) || rank(a) - rank(b),
    );
  }
}

function rank({ moduleId }: TestSpecification): number {
  const path = relative(process.cwd(), moduleId);
  const index = FOLDERS.findIndex((folder) => path.startsWith(folder));
  return index === -1 ? FOLDERS.length : index;
}
