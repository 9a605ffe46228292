import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { ProcessFilesFirst } from './test/support/process-files-first.ts';

const cache = (name: string) => fileURLToPath(new URL(`node_modules/.cache/${name}`, import.meta.url));

const allFiles = ['packages/*/test/**/*.test.ts', 'test/*.test.ts', 'examples/*.test.ts'];
/** What loads or measures, what asks a registry, and what takes long: releases of runtimes, jobs of CI, and the site as a whole. */
const measuredFiles = ['{packages/*/,}test/**/*.measured.test.ts', 'examples/*.test.ts'];
/** Of these, what installs, builds, asks registries and starts other libraries. No figure of a load or a run decides there. */
const installedFiles = [
  'packages/cluster-server/test/built-in-clients.measured.test.ts',
  'packages/cli/test/{action,fetch,packages,subjects,workspaces,written-jobs}.measured.test.ts',
  'packages/runner/test/declared/{behaviour,bench-node,documents,mitata,open-handles,tinybench,tool-releases,vitest}.measured.test.ts',
  'packages/runner/test/{http/config,node-bench/formats,node-bench/sessions,nodecore/node-core-releases,stripping}.measured.test.ts',
  'packages/subjects/test/registry.measured.test.ts',
  'test/*.measured.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'tests', include: allFiles, exclude: measuredFiles } },
      {
        extends: true,
        test: { name: 'installed', include: installedFiles, maxWorkers: 2, sequence: { groupOrder: 1 } },
      },
      // What loads and measures needs the CPUs: one file at a time, after the others.
      {
        extends: true,
        test: {
          name: 'measured',
          include: measuredFiles,
          exclude: installedFiles,
          fileParallelism: false,
          // Servers of tests, and what a load is watched by, are slowed down by what other files leave in the memory of a process.
          isolate: true,
          // Of loads that leave most of two CPUs idle. More of them wait for each other.
          maxConcurrency: 3,
          sequence: { groupOrder: 2 },
        },
      },
    ],
    // Releases of Node.js that the tests fetch, and what commands record, stay inside the clone. Printed commands start with npx,
    // whatever the PATH has.
    env: { BENCH_CLI_CACHE: cache('bench-cli'), npm_config_user_agent: 'npm' },
    reporters: ['default', ['json', { outputFile: cache('vitest.json') }], './test/support/tool-reporter.ts'],
    // They only end tests that hang: on a machine that others load too, every test can take many times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // The bundle of the command is loaded as it is installed.
    server: { deps: { external: [/\/packages\/cli\/lib\//] } },
    // The whole of a wrong error message, where the gate's log is all that there is to read.
    chaiConfig: { truncateThreshold: 0 },
    sequence: { sequencer: ProcessFilesFirst },
    // Tests start processes: some wait, some keep a CPU busy. Two more than two CPUs fill the waits.
    maxWorkers: 4,
    // A worker per file would start more than a hundred Node.js processes. So a test restores what it changes in its process.
    isolate: false,
    // Tests that run at the same time in one file wait for load tools and servers most of the time.
    maxConcurrency: 6,
  },
});
