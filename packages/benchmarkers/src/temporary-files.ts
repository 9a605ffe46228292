import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files that a load tool reads and writes, in a temporary directory that is removed with them. */
export class TemporaryFiles implements AsyncDisposable {
  #directory: Promise<string> | undefined;

  /** The path of a file, which need not exist. */
  async path(name: string): Promise<string> {
    this.#directory ??= mkdtemp(join(tmpdir(), 'bench-cli-load-'));
    return join(await this.#directory, name);
  }

  async write(name: string, content: string): Promise<string> {
    const path = await this.path(name);
    await writeFile(path, content, { mode: 0o600 });
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#directory !== undefined) await rm(await this.#directory, { recursive: true, force: true });
  }
}
