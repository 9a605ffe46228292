import { caseKey, caseName, nameInFile } from '../case.ts';
import type { BenchmarkFile } from '../recording/line.ts';
import type { Sample } from '../samples.ts';
import { mitata } from './mitata.ts';
import { nodeBench } from './node-bench.ts';
import { invalidReport, type ReportFormat } from './report-format.ts';
import { vitest } from './vitest.ts';

const formats: readonly ReportFormat[] = [nodeBench, vitest, mitata];

/** What another tool measured in one process of each file. */
export interface ToolReport {
  readonly tool: string;
  readonly files: readonly BenchmarkFile[];
  /** One rate of each case: samples of one process are not independent. */
  readonly samples: readonly Sample[];
  /** The benchmarks without a rate, each with the reason. */
  readonly unrated: readonly string[];
}

/** @param start of a file */
export function isToolReport(start: string): boolean {
  return formats.some((format) => format.start.test(start));
}

/**
 * Reads the report of another tool. Its benchmarks have names as those that bench-cli runs, from the directory that all files are in.
 * @param place the file, for errors
 * @throws UsageError for a damaged report, one without benchmarks, and one with two benchmarks of one name
 */
export function readToolReport(text: string, place: string): ToolReport {
  const format = formats.find(({ start }) => start.test(text));
  const tools = formats.map(({ tool }) => tool).join(', ');
  if (format === undefined) throw invalidReport(place, 'not a report', `give one of ${tools}`);
  const { tool } = format;
  const reported = format.read(text, place);
  if (reported.length === 0)
    throw invalidReport(place, `${tool} reported no benchmark`, 'run benchmarks, with a recent version');
  const names = namesOf(reported.map(({ file }) => file));
  const samples = new Map<string, Sample>();
  const unrated: string[] = [];
  for (const { file, namePath, configuration = {}, result } of reported) {
    const name = names.get(file) ?? file;
    const benchmark = namePath.length === 0 ? name : nameInFile(name, namePath.join(' > '));
    const key = caseKey({ benchmark, configuration });
    const text = caseName({ benchmark, configuration });
    if (typeof result === 'string' || !(result > 0 && result < Number.POSITIVE_INFINITY)) {
      unrated.push(`${text}: ${typeof result === 'string' ? result.split('\n')[0] : `${result} ops/s`}`);
    } else if (samples.has(key)) {
      throw invalidReport(place, `${text} is there twice`, 'give each benchmark another name');
    } else samples.set(key, { benchmark, configuration, rates: [result] });
  }
  const files = Array.from(names, ([path, name]) => ({ name, path }));
  return { tool, files, samples: [...samples.values()], unrated };
}

/** The paths from the directory that all files are in, which can be one of another machine. */
function namesOf(paths: readonly string[]): ReadonlyMap<string, string> {
  const parts = new Map(paths.map((path) => [path, path.split(/[\\/]/)]));
  const all = [...parts.values()];
  const [first = []] = all;
  // -1 for one file, whose name is the last part.
  const shared = first.findIndex((part, at) => all.some((each) => each[at] !== part));
  return new Map(Array.from(parts, ([path, names]) => [path, names.slice(shared).join('/')]));
}
