import { readFileSync } from 'node:fs';
import { vi } from 'vitest';
import { type TemporarySuite, temporarySuite } from './suite.ts';

/** The project of a fake npm is the working directory, and its registry the default one. It goes to the directory of `--prefix`, and skips the settings that every call has. */
const place = (registries: string) => `case "$1" in
  prefix) exec pwd ;;
  config) exec echo '${registries}' ;;
esac
command=$1
cd "$3"
until [ "$1" = --install-strategy=hoisted ]; do shift; done
shift
set -- "$command" "$@"`;

/**
 * A directory in which `npm` is the given shell script, and first on the PATH. The script is asked for versions, and to install them in the working
 * directory. `vi.unstubAllEnvs` restores the PATH.
 */
export function fakeNpm(
  script: string,
  registries = '{"registry":"https://registry.npmjs.org/"}',
): TemporarySuite {
  const directory = temporarySuite({ 'bin/npm': `#!/bin/sh\n${place(registries)}\n${script}\n` });
  vi.stubEnv('PATH', `${directory.path('bin')}:/bin:/usr/bin`);
  return directory;
}

/** An npm that reaches no registry. */
export const unreachable = 'echo \'{"error":{"code":"ENOTFOUND","summary":"no network"}}\'; exit 1';

/** The lines that a fake npm wrote to a file beside itself. */
export function writtenBy({ path }: TemporarySuite, name: string): string[] {
  return readFileSync(path(`bin/${name}`), 'utf8')
    .trim()
    .split('\n');
}

/**
 * An npm that has every version of every package, with a dependency. A package exports as `value` ten times its major version plus that of
 * its dependency, which is the next one.
 */
export const anyPackage = `for last; do :; done
[ "$1" = view ] && last=$3
name=\${last%@*}
version=\${last##*@}
major=\${version%%.*}
[ "$1" = view ] && exec echo '"'$version'"'
mkdir -p node_modules/$name node_modules/dependency
echo "exports.value = $major * 10 + require('dependency');" > node_modules/$name/index.js
echo "module.exports = $major + 1;" > node_modules/dependency/index.js
echo '{ "version": "'$version'" }' > node_modules/$name/package.json
echo '{"packages":{"node_modules/'$name'":{"version":"'$version'","integrity":"sha512-abc"}}}' > node_modules/.package-lock.json`;
