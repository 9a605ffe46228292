import {
  closeSync,
  createReadStream,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBenchmark } from '@bench-cli/core';

// setup, each run and teardown are separate processes. They find the files by name. The names depend only on the user and
// the parameters.
const directory = join(tmpdir(), `bench-cli-read-file-${process.getuid?.() ?? ''}`);
const fileOf = (len: number) => join(directory, `${len}.txt`);
const len = [1024, 65_536];

// The operating system has the file in memory, so that no disk is measured. `read` is only the system call, into the same
// buffer each time. The number of bytes is checked.
createBenchmark(
  async ({ method, len, n }, bench) => {
    const path = fileOf(len);
    let length = 0;
    switch (method) {
      case 'read': {
        const fd = openSync(path, 'r');
        const target = Buffer.alloc(len);
        bench.start();
        for (let i = 0; i < n; i++) length += readSync(fd, target, 0, len, 0);
        bench.end(n);
        closeSync(fd);
        break;
      }
      case 'readFileSync':
        bench.start();
        for (let i = 0; i < n; i++) length += readFileSync(path).length;
        bench.end(n);
        break;
      case 'readFileSync-utf8':
        bench.start();
        for (let i = 0; i < n; i++) length += readFileSync(path, 'utf8').length;
        bench.end(n);
        break;
      case 'promise':
        bench.start();
        for (let i = 0; i < n; i++) length += (await readFile(path)).length;
        bench.end(n);
        break;
      case 'stream':
        bench.start();
        for (let i = 0; i < n; i++) for await (const chunk of createReadStream(path)) length += chunk.length;
        bench.end(n);
    }
    if (length !== n * len) throw new Error(`${length} bytes, not ${n * len}`);
  },
  {
    sync: { method: ['read', 'readFileSync', 'readFileSync-utf8'], len, n: 4e4 },
    async: { method: ['promise', 'stream'], len, n: 1.5e3 },
  },
  {
    byGroups: true,
    setup(configurations) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      // The name is known, so another user could have created the directory, with links to files of this user.
      const { uid } = lstatSync(directory);
      if (uid !== (process.getuid?.() ?? uid))
        throw new Error(`${directory} belongs to another user: remove it`);
      for (const { len } of configurations) writeFileSync(fileOf(len), 'x'.repeat(len));
    },
    teardown() {
      rmSync(directory, { recursive: true, force: true });
    },
  },
);
