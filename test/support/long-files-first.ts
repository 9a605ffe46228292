import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long for their size, because they wait for load tools, servers, or what they fetch. */
const long =
  /\/(misbehaving-servers|client-session|subjects|sample-plans|check|bisect|load|lifetime|clients|packages|choice|config|planned|benchmarkers\/test\/contract)\.test\.ts$/;

/** In a clone without results, vitest starts large files first. A long one at the end would leave all other workers idle. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => Number(long.test(moduleId));
    return sorted.toSorted((a, b) => isLong(b) - isLong(a));
  }
}
