import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownCpus, physicalCores } from '@bench-cli/benchmarkers/system';
import { describe, expect, it } from 'vitest';

/** A directory as /sys/devices/system/cpu, with the siblings of each CPU. */
function topology(siblings: readonly string[], file = 'core_cpus_list') {
  const directory = mkdtempSync(join(tmpdir(), 'bench-cli-cores-'));
  for (const [cpu, list] of siblings.entries()) {
    mkdirSync(join(directory, `cpu${cpu}`, 'topology'), { recursive: true });
    writeFileSync(join(directory, `cpu${cpu}`, 'topology', file), `${list}\n`);
  }
  return { directory, [Symbol.dispose]: () => rmSync(directory, { recursive: true }) };
}

describe('physical cores', () => {
  it('joins the hyper-threads of a core', () => {
    using of = topology(['0,4', '1,5', '2,6', '3,7', '0,4', '1,5', '2,6', '3,7']);
    const all = new Set([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(physicalCores(all, of.directory)).toEqual([
      [0, 4],
      [1, 5],
      [2, 6],
      [3, 7],
    ]);
    expect(physicalCores(new Set([5, 1, 2]), of.directory)).toEqual([[1, 5], [2]]);
  });

  it('reads the name of older kernels', () => {
    using of = topology(['0-1', '0-1'], 'thread_siblings_list');
    expect(physicalCores(new Set([0, 1]), of.directory)).toEqual([[0, 1]]);
  });

  it('takes each CPU for a core where the topology is unknown', () => {
    expect(physicalCores(new Set([3, 1]), join(tmpdir(), 'missing'))).toEqual([[1], [3]]);
  });

  it.runIf(process.platform === 'linux')('knows the CPUs of this process', () => {
    expect(ownCpus().size).toBeGreaterThan(0);
  });
});
