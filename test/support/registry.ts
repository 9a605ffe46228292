import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface LocalRegistry extends AsyncDisposable {
  readonly url: string;
  /** The paths that clients have asked for, each with the authorization that it sent. */
  readonly asked: readonly string[];
}

/** A registry of npm on the loopback interface that has one package, whose module exports the name of the registry. */
export async function localRegistry(
  owner: string,
  name: string,
  versions: readonly string[],
): Promise<LocalRegistry> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-cli-registry-'));
  const tarballs = new Map(
    versions.map((version) => {
      const manifest = { name, version, exports: './index.js' };
      execFileSync('mkdir', ['-p', join(directory, version, 'package')]);
      writeFileSync(join(directory, version, 'package/package.json'), JSON.stringify(manifest));
      writeFileSync(join(directory, version, 'package/index.js'), `module.exports = '${owner} ${version}';`);
      return [version, execFileSync('tar', ['-czf', '-', '-C', join(directory, version), 'package'])];
    }),
  );
  const asked: string[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    asked.push([decodeURIComponent(url), headers.authorization].filter(Boolean).join(' '));
    const tarball = tarballs.get(/([^/]+)\.tgz$/.exec(url)?.[1] ?? '');
    if (tarball !== undefined) return response.end(tarball);
    response.statusCode = decodeURIComponent(url) === `/${name}` ? 200 : 404;
    return response.end(response.statusCode === 404 ? '{}' : JSON.stringify(document()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const url = `http://127.0.0.1:${address.port}/`;
  const document = () => {
    const entries = Array.from(tarballs, ([version, tarball]) => {
      const integrity = `sha512-${hash('sha512', tarball, 'base64')}`;
      return [version, { name, version, dist: { tarball: `${url}-/${version}.tgz`, integrity } }] as const;
    });
    return { name, 'dist-tags': { latest: versions.at(-1) }, versions: Object.fromEntries(entries) };
  };
  return {
    url,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(directory, { recursive: true });
    },
  };
}
