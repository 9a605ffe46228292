import { createWriteStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { finished } from 'node:stream/promises';
import { execa } from 'execa';
import { bin } from '../../test/support/command.ts';
import { type Budget, median, ratios, timeSideBySide } from './measurement.ts';

/**
 * Measures the analysis of a compare CSV against Node core's compare.R. This requires R with ggplot2 and plyr, and the path
 * of the script in COMPARE_R.
 */
export async function measureAnalysis(rows: number, limit: number): Promise<Budget | string> {
  const script = process.env['COMPARE_R'];
  const name = `analyze compare of ${rows} rows / Rscript compare.R`;
  if (script === undefined || !existsSync(script))
    return `${name}: set COMPARE_R to the path of Node core's compare.R`;
  const { failed } = await execa('Rscript', ['--version'], { reject: false });
  if (failed) return `${name}: Rscript is not on the PATH`;
  const directory = mkdtempSync(join(tmpdir(), 'bench-cli-self-'));
  try {
    const csv = join(directory, 'compare.csv');
    await writeCsv(csv, rows);
    const [ours = [], theirs = []] = await timeSideBySide(
      [
        { name: 'ours', command: execPath, args: [bin, 'analyze', csv] },
        { name: 'R', command: 'Rscript', args: [script], inputFile: csv },
      ],
      3,
    );
    return {
      name: `${name} (${(statSync(csv).size / 2 ** 20).toFixed(0)} MiB)`,
      ours: `${(median(ours) / 1000).toFixed(2)} s`,
      theirs: `${(median(theirs) / 1000).toFixed(2)} s`,
      ratios: ratios(ours, theirs),
      limit,
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const runsPerSubject = 50;

async function writeCsv(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path);
  file.write('"binary","filename","configuration","rate","time"\n');
  const configurations = rows / (2 * runsPerSubject);
  for (let run = 0; run < runsPerSubject; run++) {
    for (const binary of ['old', 'new']) {
      let part = '';
      for (let index = 0; index < configurations; index++) {
        const rate = 1e6 * (1 + (index % 7)) * (1 + Math.sin(run * 31 + index * 17) / 20);
        part += `"${binary}","group${index % 20}/file.js","n=${index} type='fast' len=1024",${rate},${(1e5 / rate).toFixed(9)}\n`;
      }
      if (!file.write(part)) await new Promise((resolve) => file.once('drain', resolve));
    }
  }
  file.end();
  await finished(file);
}
