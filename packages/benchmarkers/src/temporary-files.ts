import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files for a load tool to read, in a temporary directory that is removed with them. */
export class TemporaryFiles implements AsyncDisposable {
  #directory: Promise<string> | undefined;

  /** @returns the path of the file */
  async write(name: string, content: string): Promise<string> {
    this.#directory ??= mkdtemp(join(tmpdir(), 'bench-cli-load-'));
    const path = join(await this.#directory, name);
    await writeFile(path, content, { mode: 0o600 });
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#directory !== undefined) await rm(await this.#directory, { recursive: true, force: true });
  }
}
