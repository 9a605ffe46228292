import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { readCompareCsv, readScatterCsv } from '@bench-cli/results';
import { type RunRecord, readRecording, readRecordings } from '@bench-cli/results/recording';
import { configDefaults } from '@bench-cli/results/settings';
import { compareFixed } from '@bench-cli/stats';
import {
  explanationFile,
  profileDirectory,
  readExplanations,
} from '../../packages/cli/dist/analysis/explanation-file.js';
import { readHistory } from '../../packages/cli/dist/history/history-file.js';
import { csvRows } from './csv-rows.ts';

/** A reader of the project, and a reader of ours that knows what the file says. Figures are texts with what they belong to. */
export interface Parser {
  readonly name: string;
  /** Inputs of a hundred. */
  readonly share: number;
  /** Whether damage is refused, so that all figures are those of the undamaged file. */
  readonly hasDigests?: boolean;
  read(file: string, bytes: Buffer): Promise<readonly string[]>;
  truth(file: string, text: string): Promise<readonly string[]> | readonly string[];
}

const figure = (...parts: readonly unknown[]) => JSON.stringify(parts);

/** The parameters of a row, whose values are numbers in any form, or texts. */
const plain = (row: object) =>
  Object.entries(row).map(([name, value]: [string, unknown]) => {
    const isText = String(value).trim() === '' || Number.isNaN(Number(value));
    return [name, isText ? String(value) : String(Number(value))];
  });

const compareCsv: Parser = {
  name: 'CSV of compare',
  share: 35,
  read: async (_, bytes) => {
    const { pairs } = await readCompareCsv(Readable.from([bytes]));
    compareFixed(pairs);
    return pairs.flatMap(({ benchmark, text, ...rates }) =>
      (['old', 'new'] as const).flatMap((role) =>
        Array.from(rates[role], (rate) => figure(role, benchmark, text, rate)),
      ),
    );
  },
  truth: (_, text) =>
    csvRows(text).map((row) =>
      figure(row['binary'], row['filename'], row['configuration'], Number(row['rate'])),
    ),
};

const scatterCsv: Parser = {
  name: 'CSV of scatter',
  share: 15,
  read: async (_, bytes) => {
    const { samples } = await readScatterCsv(Readable.from([bytes]));
    return samples.flatMap(({ benchmark, configuration, rates }) =>
      Array.from(rates, (rate) => figure(benchmark, plain(configuration), rate)),
    );
  },
  truth: (_, text) =>
    csvRows(text).map(({ filename, rate, time: _time, ...parameters }) =>
      figure(filename, plain(parameters), Number(rate)),
    ),
};

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The lines that are JSON objects. */
const objectsIn = (text: string) => text.split('\n').map(parsed).filter(isObject);

/** The runs of a results file that are there, without those that are there twice. */
const runsIn = (text: string) => objectsIn(text).filter(({ type }) => type === 'run');

const runFigure = ({ benchmark, configuration, subject, round, values }: JsonObject) =>
  figure(benchmark, configuration, subject, round, isObject(values) ? values['rate'] : undefined);

const figuresOfRuns = (runs: readonly RunRecord[]) =>
  runs.filter(({ status }) => status === 'ok').map((run) => runFigure({ ...run }));

const resultsFile: Parser = {
  name: 'results file',
  share: 15,
  hasDigests: true,
  read: async (file) => figuresOfRuns(readRecording(file).runs),
  truth: (_, text) => runsIn(text).map(runFigure),
};

const joinedFile: Parser = {
  name: 'joined results file',
  share: 5,
  hasDigests: true,
  read: async (file) => readRecordings([file]).flatMap(({ runs }) => figuresOfRuns(runs)),
  truth: resultsFile.truth,
};

/** Each value of a JSON text with its path. */
function leaves(value: unknown, path = ''): readonly string[] {
  if (!isObject(value)) return [figure(path, value)];
  return Object.entries(value).flatMap(([name, each]) => leaves(each, `${path}/${name}`));
}

const history: Parser = {
  name: 'history',
  share: 12,
  read: async (file) =>
    readHistory(file, {}).entries.flatMap((entry) => leaves(entry, `${entry.at} ${entry.commit}`)),
  truth: (_, text) => objectsIn(text).flatMap((entry) => leaves(entry, `${entry['at']} ${entry['commit']}`)),
};

const numberInExplanation = /^\/\d+\/(?:profiles$|time\b.*\/(?:old|new|difference|low|high|adjustedP)$)/;

const explanations: Parser = {
  name: 'explanations',
  share: 12,
  read: async (file, bytes) => {
    const directory = profileDirectory(file);
    mkdirSync(directory, { recursive: true });
    writeFileSync(explanationFile(directory), bytes);
    return leaves(readExplanations(file));
  },
  truth: (_, text) =>
    leaves(parsed(text)).filter((leaf) => {
      const [path, value]: [string, unknown] = JSON.parse(leaf);
      return typeof value === (numberInExplanation.test(path) ? 'number' : 'string');
    }),
};

/** How a user may write the settings that the damaged config file has. */
const settings: Readonly<Record<string, (value: unknown) => unknown>> = {
  runs: (value) => (value === 'auto' ? value : Number(value)),
  maxRuns: Number,
  margin: (value) => (typeof value === 'number' ? value : Number(String(value).replace('%', '')) / 100),
  timeoutMs: (value) => {
    const [, amount, unit = ''] = /^\s*([\d.]+)\s*([a-z]*)\s*$/.exec(String(value)) ?? [];
    return Number(amount) * ({ '': 1, ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit] ?? Number.NaN);
  },
  filter: (value) => (Array.isArray(value) ? value : [String(value)]),
  allowSame: (value) => value === true || value === 'true' || String(value),
};

const settingFigure = (name: string, value: unknown) =>
  figure(name, typeof value === 'number' ? value.toPrecision(12) : value);

let configs = 0;

/** A new directory for each, because a module is loaded once. */
function configFile(text: string): { readonly directory: string; readonly path: string } {
  const directory = mkdtempSync(join(tmpdir(), `bench-cli-suite-config-${configs++}-`));
  const path = join(directory, 'bench-cli.config.mjs');
  writeFileSync(path, `export default ${text}`);
  return { directory, path };
}

const config: Parser = {
  name: 'config file',
  share: 6,
  read: async (_, bytes) => {
    const { directory } = configFile(bytes.toString());
    try {
      return Array.from(await configDefaults(directory, 'compare', {}), ([name, value]) =>
        settingFigure(name, value),
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
  truth: async (_, text) => {
    const { directory, path } = configFile(text);
    try {
      const module: unknown = await import(pathToFileURL(path).href);
      const content = isObject(module) && isObject(module['default']) ? module['default']['defaults'] : {};
      return Object.entries(content ?? {}).map(([name, value]) =>
        settingFigure(name, settings[name]?.(value)),
      );
    } catch {
      return [];
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
};

export const parsers: readonly [Parser, ...Parser[]] = [
  compareCsv,
  scatterCsv,
  resultsFile,
  joinedFile,
  history,
  explanations,
  config,
];
