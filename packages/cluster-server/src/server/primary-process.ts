import cluster, { type Worker } from 'node:cluster';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type FromPrimary,
  type FromWorker,
  type PrimaryOrder,
  primaryVariable,
  type ToPrimary,
  type ToWorker,
} from './messages.ts';

/** Number of workers that may end, one after the other, before they listen; then the server gives up. */
const MOST_FAILED_STARTS = 5;

/** Time limit for workers to end, milliseconds. */
const GRACE_MS = 1000;

const order: PrimaryOrder = JSON.parse(process.env[primaryVariable] ?? 'null');

if (cluster.isPrimary) runPrimary(order);
else {
  const { work } = await import('./worker-process.ts');
  work(order);
}

/** Starts and replaces the workers. This process ends with its parent, even if that is killed. */
function runPrimary({ options }: PrimaryOrder): void {
  const counts = new Map<number, number>();
  const waiting = new Map<number, { left: Set<number>; tagged: number; done: (tagged: number) => void }>();
  let ready = false;
  let closing = false;
  let failedStarts = 0;
  let asked = 0;
  let failure = 'a worker ended before it listened';

  const send = (message: FromPrimary, sent: () => void = () => {}) => {
    if (process.connected) process.send?.(message, undefined, undefined, sent);
    else sent();
  };
  // A worker that has ended is listed until its channel has closed too, which can be after its `exit` event.
  const workers = () =>
    Object.values(cluster.workers ?? {}).flatMap((it) => (it === undefined || it.isDead() ? [] : [it]));
  const pidOf = (worker: Worker) => worker.process.pid ?? 0;
  const allCounts = () => [...counts].map(([pid, requests]) => ({ pid, requests }));
  const tell = (worker: Worker, message: ToWorker) => {
    if (worker.isConnected()) worker.send(message, () => {});
  };

  /** Asks every worker for its count, except those that die before they answer. */
  const ask = (tag: string | undefined, done: (tagged: number) => void) => {
    const id = asked++;
    const left = new Set(workers().map(pidOf));
    if (left.size === 0) return done(0);
    waiting.set(id, { left, tagged: 0, done });
    for (const worker of workers()) tell(worker, { type: 'count', id, tag });
  };
  const answered = (id: number, pid: number, tagged: number) => {
    const question = waiting.get(id);
    if (question === undefined || !question.left.delete(pid)) return;
    question.tagged += tagged;
    if (question.left.size > 0) return;
    waiting.delete(id);
    question.done(question.tagged);
  };

  const close = (last: FromPrimary | undefined) => {
    if (closing) return;
    closing = true;
    const end = () => {
      if (options.socketPath !== undefined) rmSync(options.socketPath, { force: true });
      send(last ?? { type: 'counts', counts: allCounts() }, () => process.exit(0));
    };
    const stop = () => {
      if (workers().length === 0) return end();
      const timer = setTimeout(() => workers().forEach((it) => void it.process.kill('SIGKILL')), GRACE_MS);
      cluster.on('exit', () => {
        if (workers().length > 0) return;
        clearTimeout(timer);
        end();
      });
      for (const worker of workers()) tell(worker, { type: 'close' });
    };
    const patience = setTimeout(stop, GRACE_MS);
    ask(undefined, () => {
      clearTimeout(patience);
      stop();
    });
  };

  const start = (): Worker => {
    const worker = cluster.fork();
    const pid = pidOf(worker);
    counts.set(pid, 0);
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'failed') failure = message.message;
      if (message.type === 'failed' && !ready) close({ type: 'failed', message: failure });
      if (message.type === 'listening') listening();
      if (message.type === 'pulse') counts.set(pid, message.requests);
      if (message.type === 'count') {
        counts.set(pid, message.requests);
        answered(message.id, pid, message.tagged);
      }
      if (message.type === 'tally')
        ask(message.tag, (requests) => tell(worker, { type: 'tally', id: message.id, requests }));
    });
    return worker;
  };

  let listeningWorkers = 0;
  const listening = () => {
    failedStarts = 0;
    listeningWorkers++;
    if (ready) return;
    // The others start when the first listens, so that a failure to listen is reported once.
    if (listeningWorkers === 1) for (let others = 1; others < options.workers; others++) start();
    if (listeningWorkers < options.workers) return;
    ready = true;
    send({ type: 'ready', pids: workers().map(pidOf) });
  };

  cluster.on('exit', (worker, code, signal) => {
    const pid = pidOf(worker);
    for (const id of [...waiting.keys()]) answered(id, pid, 0);
    if (closing) return;
    if (!ready) return close({ type: 'failed', message: failure });
    failedStarts++;
    if (failedStarts > MOST_FAILED_STARTS) return close({ type: 'failed', message: failure });
    const replacedBy = pidOf(start());
    send({ type: 'died', death: { pid, cause: signal ?? `exit code ${code}`, replacedBy } });
  });

  process.on('message', (message: ToPrimary) => {
    if (message.type === 'close') close(undefined);
    else ask(undefined, () => send({ type: 'counts', id: message.id, counts: allCounts() }));
  });
  process.on('disconnect', () => close(undefined));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => close(undefined));
  cluster.setupPrimary({ exec: fileURLToPath(import.meta.url), execArgv: [], windowsHide: true });
  start();
}
