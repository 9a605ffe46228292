import { setDefaultHighWaterMark } from 'node:stream';
import { createAnsweringServer, RequestCount } from './answering.ts';
import type { FromWorker, PrimaryOrder, ToWorker } from './messages.ts';

/** Runs a worker, which shares the port with the others, answers requests, and counts them. */
export function work({ options, certificate }: PrimaryOrder): void {
  const count = new RequestCount();
  const tallies = new Map<number, (requests: number) => void>();
  let asked = 0;
  const send = (message: FromWorker) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  };
  const tally = (tag: string) =>
    new Promise<number>((resolve) => {
      const id = asked++;
      tallies.set(id, resolve);
      send({ type: 'tally', id, tag });
    });

  // Ctrl-C in a terminal signals the whole process group; the primary process ends the workers.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('message', (message: ToWorker) => {
    if (message.type === 'close') process.exit(0);
    if (message.type === 'tally') {
      tallies.get(message.id)?.(message.requests);
      tallies.delete(message.id);
      return;
    }
    const tagged = message.tag === undefined ? 0 : count.of(message.tag);
    send({ type: 'count', id: message.id, requests: count.all, tagged });
  });
  // Keeps the count in the primary process up to date, in case this worker dies.
  let reported = 0;
  setInterval(() => {
    if (count.all !== reported) send({ type: 'pulse', requests: count.all });
    reported = count.all;
  }, 1000);

  // With many unsent answers, Node.js stops reading. Over TLS it then treats data that it has already decrypted as an error of
  // the client (HPE_PAUSED), and resets the connection. With a higher limit it does not stop.
  if (options.protocol === 'https') setDefaultHighWaterMark(false, 2 ** 30);
  const server = createAnsweringServer(options, certificate, count, tally);
  server.on('error', (error) => send({ type: 'failed', message: error.message }));
  server.on('listening', () => send({ type: 'listening' }));
  if (options.socketPath !== undefined) server.listen(options.socketPath);
  else server.listen(options.port, options.host);
}
