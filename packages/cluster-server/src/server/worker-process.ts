import { setDefaultHighWaterMark } from 'node:stream';
import { createAnsweringServer, RequestCount } from './answering.ts';
import { type FromWorker, primaryOrder, primaryVariable, toWorker } from './messages.ts';

/** A worker: listens with the others, answers, and counts. */
export function work(port: number): void {
  const { options, certificate } = primaryOrder.parse(JSON.parse(process.env[primaryVariable] ?? 'null'));
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

  // A terminal's Ctrl-C goes to the whole group; the process that holds the workers ends them.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('message', (received) => {
    const message = toWorker.parse(received);
    if (message.type === 'close') process.exit(0);
    if (message.type === 'tally') {
      tallies.get(message.id)?.(message.requests);
      tallies.delete(message.id);
      return;
    }
    const tagged = message.tag === undefined ? 0 : count.of(message.tag);
    send({ type: 'count', id: message.id, requests: count.all, tagged });
  });
  // What a worker had answered is still known when it dies.
  let told = 0;
  setInterval(() => {
    if (count.all !== told) send({ type: 'pulse', requests: count.all });
    told = count.all;
  }, 1000);

  // When answers pile up, Node.js reads no more, lest somebody floods it. Over TLS it then takes what it had decrypted
  // already for a mistake of the client (HPE_PAUSED), and resets the connection. Here a flood is what is wanted.
  if (options.protocol === 'https') setDefaultHighWaterMark(false, 2 ** 30);
  const server = createAnsweringServer(options, certificate, count, tally);
  server.on('error', (error) => send({ type: 'failed', message: error.message }));
  server.on('listening', () => {
    const address = server.address();
    send({ type: 'listening', port: typeof address === 'object' && address !== null ? address.port : 0 });
  });
  if (options.socketPath !== undefined) server.listen(options.socketPath);
  else server.listen(port, options.host);
}
