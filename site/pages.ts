/**
 * The pages of the site, in the order in which a reader needs them: learn, do, understand, look up (https://diataxis.fr). A page without a
 * name here has that of its title.
 */
export const pages: Readonly<Record<string, readonly (string | readonly [path: string, name: string])[]>> = {
  Learn: [
    ['README', 'First steps'],
    'docs/write-a-benchmark',
    'docs/report',
    'docs/coming-from-tinybench',
    'docs/coming-from-vitest',
    'docs/coming-from-mitata',
    'docs/coming-from-benchmark-js',
    'docs/coming-from-node-core',
  ],
  Do: [
    'docs/compare',
    'docs/analysis',
    'docs/check',
    'docs/bisect',
    'docs/metrics',
    'docs/whole-commands',
    'docs/node-bench',
    'docs/http-benchmarks',
    'docs/http-clients',
    'docs/web-frameworks',
    'docs/continuous-integration',
    'docs/history',
    'docs/many-machines',
    'docs/embed',
    'docs/for-agents',
  ],
  Understand: [
    ['docs/adaptive-runs', 'Adaptive runs'],
    ['docs/reliability', 'Reliability'],
    ['docs/node-core-plan', 'The suite of Node core'],
    'docs/architecture',
    'CONTRIBUTING',
  ],
  'Look up': [
    'docs/commands',
    'docs/subjects',
    'docs/errors',
    'CHANGELOG',
    'SUPPORT',
    'SECURITY',
    'CODE_OF_CONDUCT',
    ['benchmarks/README', 'The suite of examples'],
    ...['cli', 'core', 'runner', 'results', 'stats', 'report', 'benchmarkers', 'cluster-server'].map(
      (name) => [`packages/${name}/README`, `@bench-cli/${name}`] as const,
    ),
  ],
};
