import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build, type InputOptions, type OutputOptions, type Plugin } from 'rolldown';
import { licences } from './licences.ts';

/**
 * Bundles each package with the pure JavaScript libraries that it uses into a few files, because many small files are slow to
 * load and whole libraries are slow to install. The compiled modules in `dist` remain for types and tests.
 */

const ours = /^@bench-cli\//;
const directoryOf = (name: string) => join(import.meta.dirname, '../packages', name);
/** The path of a library that a package depends on. */
const libraryOf = (name: string, library: string) =>
  createRequire(join(directoryOf(name), 'package.json')).resolve(library);

interface Bundle {
  readonly package: string;
  /** Compiled files, by their names in `lib`. */
  readonly input: Readonly<Record<string, string>>;
  readonly output?: OutputOptions;
  readonly options?: InputOptions;
}

const bundles: readonly Bundle[] = [
  {
    // Every process of a benchmark loads the entry, and each further module costs about half a millisecond.
    package: 'core',
    input: { index: 'dist/index.js' },
    output: { minify: true },
    options: { external: [], preserveEntrySignatures: 'allow-extension' },
  },
  {
    package: 'core',
    input: {
      compatibility: 'dist/compatibility.js',
      'other-tools': 'dist/other-tools.js',
      protocol: 'dist/protocol.js',
    },
  },
  {
    package: 'results',
    input: {
      index: 'dist/index.js',
      recording: 'dist/recording/index.js',
      schema: 'dist/recording/schema.js',
      settings: 'dist/settings/index.js',
    },
  },
  {
    package: 'agent',
    input: {
      index: 'dist/index.js',
      metrics: 'dist/metric/metrics.js',
      'preload/async': 'dist/preload/async.js',
      'preload/async-hooks': 'dist/preload/async-hooks.js',
    },
  },
  // Each is one file, which a process of a benchmark requires, with what it uses of other packages, which are ES modules.
  ...globSync(
    [
      'library/*.ts',
      '*/*probe.ts',
      'preload/{imported-files,measured-activity,node-core*,opened-handles,stopped-clocks,sync,transform}.ts',
    ],
    { cwd: join(directoryOf('agent'), 'src') },
  )
    .sort()
    .map((file): Bundle => {
      const name = file.slice(0, -'.ts'.length);
      return {
        package: 'agent',
        input: { [name]: `dist/${name}.js` },
        output: { entryFileNames: '[name].cjs', format: 'cjs', codeSplitting: false },
        options: { external: ['oxc-transform'] },
      };
    }),
  { package: 'stats', input: { index: 'dist/index.js', internal: 'dist/internal.js' } },
  {
    // 400 small files, which load at the first statistical test.
    package: 'stats',
    input: { distributions: 'dist/distributions.js' },
    output: { entryFileNames: '[name].cjs', format: 'cjs' },
  },
  {
    package: 'report',
    input: { index: 'dist/index.js', page: 'dist/page/index.js', plot: 'dist/plot/index.js' },
    options: { external: ['@resvg/resvg-js', ours] },
  },
  {
    // It is in every page of a report, so it contains only what it uses of the statistics, and the licence of ghtml.
    package: 'report',
    input: { 'page-script': 'dist/page/browser/page-script.js' },
    output: {
      minify: true,
      postBanner: `/*\nghtml\n\n${readFileSync(join(libraryOf('report', 'ghtml'), '../../LICENSE'), 'utf8')}*/`,
    },
    options: {
      platform: 'browser',
      external: [/^node:/],
      treeshake: { moduleSideEffects: false },
      // The modules of stats, not its bundle, of which every statement that could have a side effect would remain.
      resolve: {
        alias: {
          '@bench-cli/stats': join(directoryOf('stats'), 'dist/index.js'),
          '@bench-cli/stats/internal': join(directoryOf('stats'), 'dist/internal.js'),
        },
      },
    },
  },
  {
    package: 'report',
    input: { 'history-script': 'dist/page/browser/history-script.js' },
    output: { minify: true },
    options: { platform: 'browser' },
  },
  { package: 'system', input: { index: 'dist/index.js' } },
  {
    package: 'subjects',
    input: {
      index: 'dist/index.js',
      code: 'dist/code.js',
      'download-limit': 'dist/download-limit.js',
      locations: 'dist/locations.js',
    },
  },
  {
    package: 'benchmarkers',
    input: {
      index: 'dist/index.js',
      contract: 'dist/contract/index.js',
      'autocannon-process': 'dist/autocannon-process.js',
      'open-loop-process': 'dist/open-loop-process.js',
    },
  },
  {
    package: 'benchmarkers',
    input: { 'autocannon/autocannon': libraryOf('benchmarkers', 'autocannon') },
    output: { entryFileNames: '[name].cjs', format: 'cjs', codeSplitting: false },
  },
  {
    package: 'runner',
    input: {
      index: 'dist/index.js',
      'load-process': 'dist/http/load-process.js',
      'reaper-process': 'dist/process/reaper-process.js',
    },
  },
  {
    package: 'cluster-server',
    input: {
      index: 'dist/index.js',
      'worker-process': 'dist/server/worker-process.js',
      'http-clients': 'dist/http-clients.js',
      // cronometro starts its threads with a file in its own directory.
      runner: libraryOf('cluster-server', 'cronometro').replace(/index\.js$/, 'runner.js'),
    },
    options: { external: [ours, /^(undici|axios|got|ky|node-fetch|superagent)$/] },
  },
  {
    package: 'cli',
    input: {
      main: 'dist/main.js',
      bin: 'dist/bin.js',
      config: 'dist/config.js',
      index: 'dist/index.js',
    },
    // What every start loads is one file.
    output: {
      codeSplitting: {
        groups: [
          {
            name: 'start',
            test: /node_modules\/(commander|shlex)|dist\/(main|failure|options|terminal|commands\/\w+|session\/interruption)\.js$/,
          },
        ],
      },
    },
  },
  // It must not load another package, because what is loaded before it is compiled on each start.
  { package: 'cli', input: { 'compile-cache': 'dist/compile-cache.js' }, options: { external: [] } },
];

const root = join(import.meta.dirname, '..');

/** commander would load child_process at each start, for commands that are programs of their own. */
const commanderWithoutProcesses: Plugin = {
  name: 'commander-without-processes',
  resolveId: (source, importer) =>
    source === 'node:child_process' && /\/node_modules\/commander\//.test(importer ?? '')
      ? '\0nothing'
      : null,
  load: (id) => (id === '\0nothing' ? 'export default {};' : null),
};

/** @returns the paths of its files */
async function make(bundle: Bundle, at: number): Promise<readonly string[]> {
  const external = bundle.options?.external ?? [ours];
  const { output } = await build({
    cwd: directoryOf(bundle.package),
    input: { ...bundle.input },
    platform: 'node',
    logLevel: 'warn',
    plugins: [licences(`${Object.keys(bundle.input)[0]?.split('/')[0]}`), commanderWithoutProcesses],
    // hdr-histogram-js uses eval, which is harmless.
    checks: { eval: false },
    ...bundle.options,
    external,
    output: {
      dir: 'lib',
      entryFileNames: '[name].js',
      chunkFileNames: `chunk-${at}-[name].js`,
      // Error names derive from class names. Node.js shows the line of an error that nothing catches, which must be short.
      minify: { mangle: { keepNames: true }, codegen: { removeWhitespace: false } },
      ...bundle.output,
    },
  });
  return output.map(({ fileName }) => join(directoryOf(bundle.package), 'lib', fileName));
}

const made = new Set<string>();
for (const [at, bundle] of bundles.entries()) for (const file of await make(bundle, at)) made.add(file);

const copies: readonly (readonly [package_: string, from: string, to: string])[] = [
  ...[
    ['400Regular/Inter_400Regular.ttf', 'Inter_400Regular.ttf'],
    ['700Bold/Inter_700Bold.ttf', 'Inter_700Bold.ttf'],
    ['LICENSE_FONT', 'OFL.txt'],
  ].map(([from = '', to = '']) => {
    const fonts = dirname(libraryOf('report', '@expo-google-fonts/inter/package.json'));
    return ['report', join(fonts, from), `lib/fonts/${to}`] as const;
  }),
];
for (const [name, from, to] of copies) {
  const target = join(directoryOf(name), to);
  made.add(target);
  cpSync(from.startsWith('/') ? from : join(directoryOf(name), from), target);
}

// autocannon reads its version from its manifest.
const { name, version }: { readonly name: string; readonly version: string } = JSON.parse(
  readFileSync(libraryOf('benchmarkers', 'autocannon/package.json'), 'utf8'),
);
const manifest = join(directoryOf('benchmarkers'), 'lib/autocannon/package.json');
made.add(manifest);
writeFileSync(manifest, JSON.stringify({ name, version, type: 'commonjs' }));

// The packages contain all files of lib.
for (const entry of globSync('packages/*/lib/**', { cwd: root, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  if (entry.isFile() && !made.has(file)) rmSync(file);
}
