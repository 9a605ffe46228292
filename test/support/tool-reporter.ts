import type { Reporter, TestModule } from 'vitest/node';
import { noteOfMissing, tools } from './tools.ts';

/** Ends the run with how many tests were skipped for which tool, and the command that installs it. */
export default class ToolReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
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
  }
}
