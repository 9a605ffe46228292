import type { Reporter, TestModule } from 'vitest/node';
import { noteOfMissing, tools } from './tools.ts';

/**
 * Ends the run with how many tests were skipped for which tool, and the command that installs it, and then with how
 * many passed and failed. A file that cannot be loaded and an error outside of tests count as a failure.
 */
export default class ToolReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        const note = result.state === 'skipped' ? result.note : undefined;
        if (note !== undefined) counts.set(note, (counts.get(note) ?? 0) + 1);
      }
    }
    const installs = new Map(
      Object.entries(tools).map(([tool, { install }]) => [noteOfMissing(tool), install]),
    );
    for (const [note, count] of counts) {
      const install = installs.get(note);
      console.log(
        `${count} test${count === 1 ? '' : 's'} skipped: ${note}${install === undefined ? '' : ` (${install})`}`,
      );
    }
    const countOf = (state: 'passed' | 'failed') =>
      modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0);
    const unloaded = modules.filter((module) => module.errors().length > 0);
    const failed = countOf('failed') + unloaded.length + errors.length;
    // After the last line of the other reporters.
    process.once('exit', () => console.log(`${countOf('passed')} passed, ${failed} failed`));
  }
}
