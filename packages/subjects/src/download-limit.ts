/**
 * npm loads it before itself, because npm has no limit: an endless answer would fill the memory, an endless
 * package the disk. The address of this module has the number of bytes that a process may receive, hold in
 * memory and write.
 */
import fs from 'node:fs';
import { Socket } from 'node:net';

const limit = Number(new URL(import.meta.url).searchParams.get('bytes'));
/** As npm shows its errors. */
const error = { code: 'EDOWNLOADLIMIT', summary: `a download exceeds ${limit} bytes` };
let received = 0;
let written = 0;

const { push } = Socket.prototype;
Socket.prototype.push = function (chunk: Buffer | null, ...rest) {
  received += chunk?.length ?? 0;
  // A small answer can be compressed from a large one.
  if (received <= limit && process.memoryUsage.rss() <= limit) return push.call(this, chunk, ...rest);
  // npm removes its temporary files.
  this.destroy(Object.assign(new Error(error.summary), error));
  return false;
};

/** Ends the process above the limit, because npm would continue without a file that it cannot write. */
function limited<Words extends readonly unknown[]>(write: (...words: Words) => void) {
  return (...words: Words) => {
    for (const part of [words[1]].flat()) if (ArrayBuffer.isView(part)) written += part.byteLength;
    if (written <= limit) return write(...words);
    fs.writeSync(1, JSON.stringify({ error }));
    return process.kill(process.pid, 'SIGKILL');
  };
}
Object.assign(fs, { write: limited(fs.write), writev: limited(fs.writev) });
