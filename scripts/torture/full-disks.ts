import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { command, type Ended, expectExit } from './command.ts';
import { configurations, quickSuite } from './finished-session.ts';
import type { Random } from './random.ts';
import { expectComplete, expectRuns, recordingIn } from './recorded-runs.ts';
import { type SmallDisk, smallDisk } from './small-disk.ts';
import { Tallies, type Tally } from './tally.ts';
import { contentOf, prepare, type Writer, writerKinds } from './writer.ts';

const rounds = 2;

/** Lets commands write to disks that fill, and repeats them with space. */
export async function fullDisks(count: number, random: Random): Promise<readonly Tally[]> {
  using disk = smallDisk();
  const tallies = new Tallies(`full disks (${disk?.limit ?? 'skipped: neither mount nor prlimit works'})`);
  if (disk === undefined) return [tallies.of('none')];
  using writers = new DisposableStack();
  const kept = new Map<string, Writer>();
  for (let attempt = 0; attempt < count; attempt++) {
    const kind = writerKinds[attempt % (writerKinds.length + 2)];
    const tally = tallies.of(kind?.name ?? (attempt % 2 === 0 ? 'session' : 'cache'));
    tally.attempts++;
    await tally.guard(tally.name, async () => {
      if (kind !== undefined) {
        const writer = kept.get(kind.name) ?? writers.use(await kind.create(tally));
        kept.set(kind.name, writer);
        await fillWhileWriting(writer, disk, tally, random);
      } else if (attempt % 2 === 0) await fillDuringSession(disk, tally, random);
      else await fillCache(disk, tally, random);
    });
    disk.grow();
    for (const name of readdirSync(disk.directory)) rmSync(join(disk.directory, name), { recursive: true });
  }
  return tallies.all;
}

/** Counts a failure that does not say that nothing can be written. */
function expectWritten(tally: Tally, { exitCode, stderr }: Ended): void {
  if (exitCode === 0 || (exitCode === 2 && /\[ERR_BENCH_(?:WRITE|SYSTEM)\]/.test(stderr))) return;
  tally.add('wrong exit codes', `${exitCode} on a full disk: ${stderr}`);
}

async function fillWhileWriting(writer: Writer, disk: SmallDisk, tally: Tally, random: Random) {
  const { before, after, name } = writer;
  const out = join(disk.directory, `out.${name.replaceAll(/\W/g, '')}.${writer.out.split('.').at(-1)}`);
  prepare(writer, out);
  const written = after.length - (writer.mayTear ? (before?.length ?? 0) : 0);
  const starter = disk.shrink(random.below(written * 1.2), out);
  const ended = await command(tally, writer.words(out), { starter });
  expectWritten(tally, ended);
  const found = contentOf(out);
  const expected = ended.exitCode === 0 ? after : before;
  if (found !== expected) tally.add('lost', `${name}: ${found?.length} of ${expected?.length} characters`);
  const parts = readdirSync(disk.directory).filter((each) => each.endsWith('.part'));
  if (parts.length > 0) tally.add('lost', `${name} leaves ${parts}`);
  disk.grow();
  if (ended.exitCode === 0) return;
  expectExit(tally, await command(tally, writer.words(out)), undefined);
  if (contentOf(out) !== after) tally.add('wrong figures', `${name} with space again`);
}

async function fillDuringSession(disk: SmallDisk, tally: Tally, random: Random): Promise<void> {
  using suite = quickSuite();
  const out = join(disk.directory, 'results.jsonl');
  const start = ['run', '--runs', `${rounds}`, '--suite', suite.directory, '--out', out, 'g/a.js'];
  const rateOf = ({ configuration }: { configuration: Readonly<Record<string, unknown>> }) =>
    1 + Number(configuration['n']);
  // The disk fills up to three times.
  for (let times = 3; ; times--) {
    const former = recordingIn(out);
    if (former === undefined) rmSync(out, { force: true });
    const words = former === undefined ? start : ['run', '--resume', out];
    const starter = times > 0 ? disk.shrink(random.below(16_000), out) : [];
    const ended = await command(tally, words, { starter });
    disk.grow();
    const told = words.join(' ');
    const recording = recordingIn(out);
    expectRuns(tally, recording, { former, rateOf, told });
    if (times > 0) expectWritten(tally, ended);
    else expectExit(tally, ended, undefined);
    if (ended.exitCode === 0) return expectComplete(tally, recording, rounds * configurations, told);
  }
}

/** The directory with compiled code, stripped TypeScript and sessions without `--out`. */
async function fillCache(disk: SmallDisk, tally: Tally, random: Random): Promise<void> {
  using suite = quickSuite();
  const env = { BENCH_CLI_CACHE: join(disk.directory, 'cache') };
  const words = ['run', '--format', 'csv', '--suite', suite.directory, 'g/a.js'];
  const full = await command(tally, words, { env, starter: disk.shrink(random.below(40_000), '') });
  expectWritten(tally, full);
  disk.grow();
  const again = await command(tally, words, { env });
  expectExit(tally, again, undefined);
  for (const { exitCode, stdout } of [full, again]) {
    const rates = stdout.split('\n').flatMap((line) => / n=(\d)", (\S+),/.exec(line)?.slice(1) ?? []);
    const truth = Array.from({ length: configurations }, (_, n) => [`${n}`, `${1 + n}`]).flat();
    if (exitCode === 0 && rates.join() !== truth.join()) tally.add('wrong figures', stdout);
  }
}
