/** A mistake in one line of the project, and the tests that must notice it. */
export interface PlantedFault {
  readonly file: string;
  /** A text that stands once in the file. */
  readonly text: string;
  readonly fault: string;
  /** Filters of vitest, or `torture` with its options. */
  readonly noticedBy: readonly string[];
}

const results = 'packages/results/src';
const runner = 'packages/runner/src';
const stats = 'packages/stats/src';

/** Each defect that was found adds one. */
export const plantedFaults: readonly PlantedFault[] = [
  {
    file: 'packages/report/src/comparison-text.ts',
    text: 'prose(text)',
    fault: '[text].map(prose).length > 0 && text',
    noticedBy: ['packages/cli/test/pull-requests'],
  },
  {
    file: `${results}/csv/form.ts`,
    text: 'const value = Number(text);',
    fault: 'const value = Number.parseFloat(text);',
    noticedBy: ['torture', '--inputs', '5000'],
  },
  {
    file: `${results}/csv/form.ts`,
    text: 'if (fields.length !== header.length) {',
    fault: 'if (fields.length < header.length) {',
    noticedBy: ['packages/results/test/csv-read'],
  },
  {
    file: `${results}/csv/form.ts`,
    text: 'if (!torn || !(error instanceof UsageError)) throw error;',
    fault: 'if (!(error instanceof UsageError)) throw error;',
    noticedBy: ['packages/results/test/csv-read'],
  },
  {
    file: `${results}/csv/rate-columns.ts`,
    text: 'ends[sample] = end + 1;',
    fault: 'ends[sample] = end;',
    noticedBy: ['packages/results/test/csv-read'],
  },
  {
    file: `${results}/recording/run-set.ts`,
    text: 'if (isNew) former.push(run);\n    return isNew;',
    fault: 'if (isNew) former.push(run);\n    return true;',
    noticedBy: ['packages/results/test/recording.test'],
  },
  {
    file: `${results}/recording/run-set.ts`,
    text: 'if (round >= this.#mostRounds) {',
    fault: 'if (round > this.#mostRounds + 9) {',
    noticedBy: ['packages/results/test/recording.test'],
  },
  {
    file: `${results}/recording/read.ts`,
    text: "if (!isOnePlan || lines.at(-1)?.type !== 'end') continue;",
    fault: 'continue;',
    noticedBy: ['packages/results/test/recording.test'],
  },
  {
    file: `${runner}/record/record-file.ts`,
    text: 'truncateSync(this.path, tornAt);',
    fault: '',
    noticedBy: ['packages/runner/test/record-file'],
  },
  {
    file: `${runner}/record/record-file.ts`,
    text: "return RecordFile.#open(path, 'ax+');",
    fault: "return RecordFile.#open(path, 'a+');",
    noticedBy: ['packages/runner/test/record-file'],
  },
  {
    file: `${runner}/record/file-lock.ts`,
    text: 'if (status === 0 || status === 1) return status === 0;',
    fault: 'if (status === 0 || status === 1) return true;',
    noticedBy: ['packages/runner/test/record-file'],
  },
  {
    file: `${runner}/record/begun-sessions.ts`,
    text: "return list !== undefined && readFileSync(list, 'utf8').split('\\n').includes(digestOf(path));",
    fault: 'return true;',
    noticedBy: ['packages/cli/test/interruption'],
  },
  {
    file: `${runner}/process/supervisor.ts`,
    text: 'const others = killMarked(marks, groupId, before);',
    fault: 'const others: readonly string[] = [];',
    noticedBy: ['packages/runner/test/supervisor'],
  },
  {
    file: `${runner}/process/supervisor.ts`,
    text: 'if (left.length > 0) {',
    fault: 'if (left.length > 1e6) {',
    noticedBy: ['packages/runner/test/supervisor'],
  },
  {
    file: `${runner}/process/supervisor.ts`,
    text: 'if (code !== 0) return failed(',
    fault: 'if (code === -1) return failed(',
    noticedBy: ['packages/runner/test/supervisor'],
  },
  {
    file: `${runner}/shard/division.ts`,
    text: 'divided[place]?.shards[at] === shard.index',
    fault: 'divided[place]?.shards[at] !== shard.index + 1e6',
    noticedBy: ['packages/cli/test/shards'],
  },
  {
    file: 'packages/benchmarkers/src/load-result.ts',
    text: 'if (failed <= maxFailures && succeeded > 0) return;',
    fault: 'if (succeeded > 0) return;',
    noticedBy: ['packages/benchmarkers/test'],
  },
  {
    file: 'packages/benchmarkers/src/load-result.ts',
    text: 'return { rate: (requests - non2xx) / durationSeconds, ...parsed.data };',
    fault: 'return { rate: requests / durationSeconds, ...parsed.data };',
    noticedBy: ['packages/benchmarkers/test'],
  },
  {
    file: 'packages/cli/src/analysis/output-file.ts',
    text: 'if (former?.isFile() && !isOfKind(path, bytes)) {',
    fault: 'if (former?.isFile() && bytes.length < 0) {',
    noticedBy: ['packages/cli/test/output-file'],
  },
  {
    file: 'packages/cli/src/history/history-file.ts',
    text: 'if (tornBytes > 0) truncateSync(file, statSync(file).size - tornBytes);',
    fault: '',
    noticedBy: ['packages/cli/test/history'],
  },
  {
    file: 'packages/cli/src/terminal.ts',
    text: ".replaceAll('##[', '#\\\\u0023[');",
    fault: ';',
    noticedBy: ['packages/cli/test/terminal'],
  },
  {
    file: `${stats}/correction.ts`,
    text: 'least = Math.min(least, (count / (place + 1)) * p);',
    fault: 'least = Math.min(least, p);',
    noticedBy: ['packages/stats/test/detail'],
  },
  {
    file: `${stats}/correction.ts`,
    text: 'most = Math.max(most, Math.min(1, (count - place) * p));',
    fault: 'most = Math.max(most, Math.min(1, count * p));',
    noticedBy: ['packages/stats/test/detail'],
  },
  {
    file: `${stats}/permutation-floor.ts`,
    text: 'return Math.min(1, 2 * Math.exp(-logDivisions));',
    fault: 'return Math.min(1, Math.exp(-logDivisions));',
    noticedBy: ['packages/stats/test/permutation-floor', 'packages/stats/test/rank-evidence'],
  },
  {
    file: `${stats}/rank-evidence.ts`,
    text: 'return p < level ? Math.max(p, rankP(samples, sign)) : p;',
    fault: 'return p;',
    noticedBy: ['packages/stats/test/rank-evidence'],
  },
  {
    file: `${stats}/rank-evidence.ts`,
    text: 'if (test === null || (test.superiority - 0.5) * sign < 0) return 1;',
    fault: 'if (test === null) return 1;',
    noticedBy: ['packages/stats/test/rank-evidence'],
  },
  {
    file: `${stats}/welch.ts`,
    text: 'const newSquaredError = after.variance / after.n;',
    fault: 'const newSquaredError = before.variance / after.n;',
    noticedBy: ['packages/stats/test/comparison'],
  },
  {
    file: `${runner}/record/record-file.ts`,
    text: 'if (isHere && size >= this.#size) return undefined;',
    fault: 'if (isHere || size >= 0) return undefined;',
    noticedBy: ['packages/runner/test/record-file'],
  },
  {
    file: `${runner}/session/session.ts`,
    text: 'if (changed !== undefined)\n    throw resumeMismatch(',
    fault: "if (changed === '')\n    throw resumeMismatch(",
    noticedBy: ['packages/runner/test/resumed-code'],
  },
  {
    file: `${runner}/plan/loaded-code.ts`,
    text: 'for (const path of group.map((each) => each.path).sort()) hash.update(readFileSync(path));',
    fault: 'for (const path of group.map((each) => each.path).sort()) hash.update(path);',
    noticedBy: ['packages/runner/test/resumed-code'],
  },
  {
    file: `${runner}/subject/file-digest.ts`,
    text: 'const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });',
    fault:
      'const { dev, ino, size, mtimeNs, ctimeNs } = { ...statSync(path, { bigint: true }), dev: 0, ino: 0, size: 0, mtimeNs: 0, ctimeNs: 0 };',
    noticedBy: ['packages/runner/test/resumed-code'],
  },
  {
    file: `${runner}/execution/recorded-session.ts`,
    text: 'if (value === other) continue;',
    fault: 'continue;',
    noticedBy: ['packages/runner/test/resumed-code'],
  },
  {
    file: `${runner}/execution/open-session.ts`,
    text: 'recorded: (kind, run) => byKey.get(keyOf(kind, run)),',
    fault: 'recorded: () => undefined,',
    noticedBy: ['torture', '--kills', '12', '--only', 'run'],
  },
  {
    file: `${runner}/execution/executor.ts`,
    text: 'values: { ...metrics, rate },',
    fault: 'values: { ...metrics, rate: fields.round === 1 ? rate * 3 : rate },',
    noticedBy: ['torture', '--kills', '4', '--only', 'run'],
  },
  {
    file: `${results}/recording/merge-check.ts`,
    text: 'const name = Object.keys({ ...files, ...others }).find((each) => files[each] !== others[each]);',
    fault: 'const name = Object.keys({ ...files, ...others }).find((each) => files[each] === undefined);',
    noticedBy: ['packages/results/test/merge'],
  },
  {
    file: `${results}/recording/merge-check.ts`,
    text: 'env: ({ env }) => Object.entries(env).sort(),',
    fault: 'env: undefined,',
    noticedBy: ['packages/results/test/merge'],
  },
  {
    file: `${results}/recording/merge.ts`,
    text: 'await rename(unfinished, out);',
    fault: '',
    noticedBy: ['packages/results/test/merge'],
  },
  {
    file: `${results}/subject-names.ts`,
    text: 'HIDDEN_VALUE}',
    fault: 'env[name]}',
    noticedBy: ['packages/results/test/subject-names'],
  },
  {
    file: `${runner}/suite/script-files.ts`,
    text: '.filter((entry) => !entry.isSymbolicLink() || leadsOn(join(directory, entry.name), directory))',
    fault: '',
    noticedBy: ['packages/runner/test/discover'],
  },
  {
    file: `${results}/csv/scatter-csv.ts`,
    text: 'rates.push(group, rate);',
    fault: 'rates.push(Math.max(0, group - 1), rate);',
    noticedBy: ['torture', '--inputs', '1'],
  },
  {
    file: `${results}/csv/compare-csv.ts`,
    text: 'rates.push(numbers[subject][group], rate);',
    fault: 'rates.push(numbers[subject][group], group === 1 ? rate + 1 : rate);',
    noticedBy: ['torture', '--inputs', '1'],
  },
  {
    file: `${runner}/shard/cost.ts`,
    text: 'const durationMs = (costs.get(key)?.durationMs ?? 0) + run.durationMs;',
    fault: 'const durationMs = run.durationMs;',
    noticedBy: ['torture', '--inputs', '1'],
  },
  {
    file: 'packages/cli/src/analysis/explanation-file.ts',
    text: 'return schema.parse(JSON.parse(',
    fault: 'return z.array(z.any()).parse(JSON.parse(',
    noticedBy: ['torture', '--inputs', '3000'],
  },
  {
    file: 'packages/cli/src/history/history-file.ts',
    text: 'if (parsed.success) return parsed.data;',
    fault: 'if (parsed.success) return { ...parsed.data, cases: parsed.data.cases.slice(1) };',
    noticedBy: ['torture', '--inputs', '1'],
  },
  {
    file: `${results}/settings/kind.ts`,
    text: '? percent / 100 : undefined;',
    fault: '? percent / 10 : undefined;',
    noticedBy: ['torture', '--inputs', '1'],
  },
  {
    file: `${results}/settings/kind.ts`,
    text: "(given) => given === 'true' || undefined,",
    fault: '() => true,',
    noticedBy: ['packages/results/test/config-file'],
  },
  {
    file: `${results}/settings/config-file.ts`,
    text: "if (typeof value === 'string' || typeof value === 'number') return kind.read(String(value));",
    fault: 'if (String(value).length >= 0) return kind.read(String(value));',
    noticedBy: ['packages/results/test/config-file'],
  },
  {
    file: 'packages/cli/src/history/history-file.ts',
    text: 'ftruncateSync(fd, size);',
    fault: 'ftruncateSync(fd, size + 1);',
    noticedBy: ['torture', '--disks', '12'],
  },
  {
    file: 'packages/cli/src/analysis/output-file.ts',
    text: "writeFileSync(unfinished, bytes, { flag: 'wx', ...(mode !== undefined && { mode }) });\n    renameSync(unfinished, path);",
    fault: 'writeFileSync(path, bytes);',
    noticedBy: ['torture', '--disks', '24'],
  },
  {
    file: 'packages/cli/src/analysis/output-file.ts',
    text: 'rmSync(unfinished, { force: true });',
    fault: '',
    noticedBy: ['torture', '--disks', '24'],
  },
  {
    file: `${results}/recording/merge.ts`,
    text: 'await rm(unfinished, { force: true }).catch(() => {});',
    fault: '',
    noticedBy: ['torture', '--disks', '12'],
  },
  {
    file: `${results}/recording/merge.ts`,
    text: '.part`;',
    fault: '`.slice(0, out.length);',
    noticedBy: ['torture', '--kills', '60', '--only', 'merge'],
  },
  {
    file: `${runner}/record/record-file.ts`,
    text: 'this.#hasLostRuns ||= isHere;',
    fault: '',
    noticedBy: ['torture', '--files', '4'],
  },
  {
    file: `${runner}/record/record-file.ts`,
    text: 'const frame = lines[0] === this.#frame[0] ? [] : this.#frame;',
    fault: 'const frame: string[] = [];',
    noticedBy: ['torture', '--files', '4'],
  },
  {
    file: `${runner}/record/record-file.ts`,
    text: "const directory = codeDirectory('sessions') ?? join(cacheDirectory(), 'sessions');",
    fault: "const directory = join(cacheDirectory(), 'sessions', codeDirectory('sessions') && '');",
    noticedBy: ['packages/runner/test/record-file'],
  },
  {
    file: `${runner}/session/session.ts`,
    text: 'if (changed !== undefined)\n    throw resumeMismatch(',
    fault: "if (changed === 'lib')\n    throw resumeMismatch(",
    noticedBy: ['torture', '--changes', '7'],
  },
  {
    file: `${results}/recording/merge-check.ts`,
    text: 'const file = changedFile(a.plan.code, b.plan.code);',
    fault: 'const file = changedFile(a.plan.code, a.plan.code);',
    noticedBy: ['torture', '--changes', '14'],
  },
  {
    file: 'packages/cluster-server/src/http-clients.ts',
    text: 'bench.report((parallel * 1e9) / mean,',
    fault: 'bench.report((parallel * 3e9) / mean,',
    noticedBy: ['torture', '--kills', '2', '--only', 'clients'],
  },
  {
    file: `${runner}/locations.ts`,
    text: 'return isPrivate(path) ? path : undefined;',
    fault: 'return isPrivate(path) ? directory : undefined;',
    noticedBy: ['packages/cli/test/private-cache'],
  },
  {
    file: `${runner}/subject/npm.ts`,
    text: '.filter((version) => valid(version) === version)',
    fault: '.filter((version) => valid(version) !== undefined)',
    noticedBy: ['packages/runner/test/subject/npm-packages'],
  },
  {
    file: `${runner}/subject/subject-text.ts`,
    text: 'if (value === HIDDEN_VALUE)',
    fault: 'if (name === HIDDEN_VALUE)',
    noticedBy: ['packages/runner/test/subject/subject-text'],
  },
  {
    file: 'action/action.yml',
    text: '--depth=1 -- origin "$BASE"',
    fault: '--depth=1 origin "$BASE"',
    noticedBy: ['packages/cli/test/action'],
  },
];
