import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeFiles } from './suite.ts';

/** Writes a runtime that only tells its name and version, for sessions whose runs are scripted. */
export function writeRuntime(path: string, version: string, name: 'node' | 'bun' = 'node'): void {
  const { versions, arch, platform } = process;
  const runtime = { name, version, v8: versions.v8, arch, platform };
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Everything else, such as a plan, is that of this Node.js.
  const script = `#!/bin/sh\ncase " $*" in *" -e "*) echo '${JSON.stringify(runtime)}' ;; *) exec '${process.execPath}' "$@" ;; esac\n`;
  writeFiles(dirname(path), { [basename(path)]: script });
}

/** Keeps such a runtime in a cache of bench-cli, as a release that was fetched. */
export function keepRelease(cache: string, version: string, name: 'node' | 'bun' = 'node'): void {
  const directory = join(cache, name, version);
  const program = join(directory, name);
  writeRuntime(program, version, name);
  writeFileSync(join(directory, '.sizes.json'), JSON.stringify({ [name]: statSync(program).size }));
}
