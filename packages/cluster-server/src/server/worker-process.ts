import { rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { setDefaultHighWaterMark } from 'node:stream';
import { createAnsweringServer, RequestCount } from './answering.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** Answers the requests of the connections that it is given, and counts them. */
function work({ options, certificate }: Extract<ToWorker, { type: 'order' }>): void {
  const count = new RequestCount();
  const tallies = new Map<number, (requests: number) => void>();
  let asked = 0;
  const tally = (tag: string) =>
    new Promise<number>((resolve) => {
      const id = asked++;
      tallies.set(id, resolve);
      send({ type: 'tally', id, tag });
    });

  // With many unsent answers, Node.js stops reading. Over TLS it then treats data that it has already decrypted as an error of
  // the client (HPE_PAUSED), and resets the connection. With a higher limit it does not stop.
  if (options.protocol === 'https') setDefaultHighWaterMark(false, 2 ** 30);
  const server = createAnsweringServer(options, certificate, count, tally);
  process.on('disconnect', () => {
    // The process that listened may have been killed.
    if (options.socketPath !== undefined) rmSync(options.socketPath, { force: true });
    process.exit(0);
  });
  process.on('message', (message: ToWorker, connection) => {
    // A connection that has ended on its way is undefined.
    if (message.type === 'connection' && connection instanceof Socket) server.emit('connection', connection);
    if (message.type === 'count') {
      const tagged = message.tag === undefined ? 0 : count.of(message.tag);
      send({ type: 'count', requests: count.all, tagged });
    }
    if (message.type === 'tally') {
      tallies.get(message.id)?.(message.requests);
      tallies.delete(message.id);
    }
  });
  // The count stays known if this worker dies.
  let reported = 0;
  setInterval(() => {
    if (count.all !== reported) send({ type: 'pulse', requests: count.all });
    reported = count.all;
  }, 1000);
  send({ type: 'ready' });
}

function send(message: FromWorker): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

// Ctrl-C in a terminal signals the whole process group; the process that started this one decides when it ends.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
process.once('message', (message: ToWorker) => {
  if (message.type === 'order') work(message);
});
