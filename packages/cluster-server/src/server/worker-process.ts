import { rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { setDefaultHighWaterMark } from 'node:stream';
import { createAnsweringServer, emptyCount } from './answering.ts';
import { emptyTally, type Tally } from './tally.ts';
import type { FromWorker, ToWorker, WorkerOrder } from './worker.ts';

/** How often a worker that ends looks whether it has answered all requests, milliseconds. */
const DRAIN_MS = 5;

/** Answers the requests of the connections that it is given, and counts them. */
function work(order: WorkerOrder): void {
  const { protocol, socketPath } = order.options;
  const count = emptyCount();
  const asked: ((tally: Tally) => void)[] = [];
  const tally = (tag: string) => {
    const { promise, resolve } = Promise.withResolvers<Tally>();
    asked.push(resolve);
    send({ type: 'tally', tag });
    return promise;
  };

  // With many unsent answers, Node.js stops reading. Over TLS it then takes decrypted data for an error of
  // the client (HPE_PAUSED), and resets the connection. With a higher limit it does not stop.
  if (protocol === 'https') setDefaultHighWaterMark(false, 2 ** 30);
  const server = createAnsweringServer(order, count, tally);
  process.on('disconnect', () => {
    // The process that listened may have been killed.
    if (socketPath !== undefined) rmSync(socketPath, { force: true });
    process.exit(0);
  });
  const sendCount = (tag = '') =>
    send({ type: 'count', requests: count.all, tally: count.tallies.get(tag) ?? emptyTally() });
  process.on('message', (message: ToWorker, connection) => {
    // A connection that has ended on its way is undefined.
    if (message.type === 'connection' && connection instanceof Socket) server.emit('connection', connection);
    if (message.type === 'count') sendCount(message.tag);
    if (message.type === 'tally') asked.shift()?.(message.tally);
    if (message.type === 'drain')
      setInterval(() => {
        if (count.pending === 0) sendCount();
      }, DRAIN_MS);
  });
  send({ type: 'ready' });
}

function send(message: FromWorker): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

// A terminal or a service manager signals the whole group; the process that started this one decides.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGTERM'] as const) process.on(signal, () => {});
process.once('message', (message: ToWorker) => {
  if (message.type === 'order') work(message);
});
