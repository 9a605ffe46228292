import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline, type Readable } from 'node:stream';

export interface LocalRegistry extends AsyncDisposable {
  readonly url: string;
  /** The paths that clients have asked for, each with the authorization that it sent. */
  readonly asked: readonly string[];
}

interface RegistryOptions {
  /** Makes it a registry over HTTPS, on `localhost`. */
  readonly certificate?: { readonly key: string; readonly cert: string };
  /** Another answer for a path. */
  readonly answer?: (path: string) => Readable | undefined;
}

/** A registry of npm on the loopback interface that has one package, whose module exports the name of the registry. */
export async function localRegistry(
  owner: string,
  name: string,
  versions: readonly string[],
  { certificate, answer }: RegistryOptions = {},
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
  const listener: RequestListener = ({ url = '', headers }, response) => {
    asked.push([decodeURIComponent(url), headers.authorization].filter(Boolean).join(' '));
    const other = answer?.(url);
    if (other !== undefined) return pipeline(other, response, () => {});
    const tarball = tarballs.get(/([^/]+)\.tgz$/.exec(url)?.[1] ?? '');
    if (tarball !== undefined) return response.end(tarball);
    response.statusCode = decodeURIComponent(url) === `/${name}` ? 200 : 404;
    return response.end(response.statusCode === 404 ? '{}' : JSON.stringify(document()));
  };
  const server = certificate === undefined ? createServer(listener) : createTlsServer(certificate, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = certificate === undefined ? `http://127.0.0.1:${port}/` : `https://localhost:${port}/`;
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
