import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Benchmarker, type BenchmarkerDefinition, defineBenchmarker } from '@bench-cli/benchmarkers';

/** A load tool that is a shell script, to imitate failures of real tools. */
export class FakeTool implements AsyncDisposable {
  readonly directory: string;
  readonly path: string;

  private constructor(directory: string) {
    this.directory = directory;
    this.path = join(directory, 'fake');
  }

  /** @param body the script, unless it is called with `--version`; $DIR is a directory for its files */
  static async create(body: string, version = 'echo fake 2.0.0'): Promise<FakeTool> {
    const tool = new FakeTool(await mkdtemp(join(tmpdir(), 'fake-tool-')));
    const script = `#!/bin/sh
DIR='${tool.directory}'
if [ "$1" = --version ]; then ${version}; exit; fi
echo $$ > "$DIR/$$.pid"
${body}
`;
    await writeFile(tool.path, script);
    await chmod(tool.path, 0o755);
    return tool;
  }

  benchmarker(definition: Partial<BenchmarkerDefinition> = {}): Benchmarker {
    return defineBenchmarker({
      name: 'fake',
      protocols: ['http'],
      tool: { program: this.path, minimumVersion: '1.5.0', install: 'get a newer one' },
      argumentsFor: ({ url }) => ['--url', url],
      parse: ({ stdout }) => JSON.parse(stdout),
      marginSeconds: 60,
      ...definition,
    });
  }

  /** The processes that still run, of those for which the script has written a file `<pid>.pid`. */
  async running(): Promise<readonly number[]> {
    const names = (await readdir(this.directory)).filter((name) => name.endsWith('.pid'));
    const states = await Promise.all(
      names.map(async (name) => [Number.parseInt(name, 10), await isRunning(name)] as const),
    );
    return states.filter(([, running]) => running).map(([pid]) => pid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.directory, { recursive: true });
  }
}

async function isRunning(pidFile: string): Promise<boolean> {
  try {
    const stat = await readFile(`/proc/${Number.parseInt(pidFile, 10)}/stat`, 'latin1');
    return !/\) [ZX]/.test(stat);
  } catch {
    return false;
  }
}
