/** Loaded with --require into a process whose measured part is profiled, like the probe for metrics. */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import type { Probe } from '@bench-cli/core/protocol';
import { coveredFunctions, placesIn, writeFunctions } from '../check/covered-functions.ts';
import { sourcePositions } from '../preload/source-positions.ts';
import { orderTo, takeOrder } from '../taken-order.ts';

const path = orderTo('profile');
const { functions } = takeOrder();
const sourceOf = sourcePositions();
const placeOf = functions && placesIn(functions);

const session = new Session();
session.connect();

let operations: number | undefined;
let cpuUs = 0;

/** The CPU time of the measured thread, microseconds; of the whole process in runtimes without it. */
function cpuTime(): number {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)();
  return user + system;
}

const probe: Probe = {
  begin() {
    // Only the first measured part is profiled.
    if (operations !== undefined) return;
    session.post('Profiler.enable');
    session.post('Profiler.setSamplingInterval', { interval: 100 });
    session.post('Profiler.start');
    cpuUs = -cpuTime();
  },
  end(count) {
    if (operations !== undefined) return;
    cpuUs += cpuTime();
    session.post('Profiler.stop', (error, result) => {
      if (error) throw error;
      for (const node of result.profile.nodes) {
        const { functionName } = node.callFrame;
        const [source, place] = [sourceOf(node.callFrame), placeOf?.(node.callFrame)];
        // The lines of samples in a function have no columns, which a source map needs.
        if (source !== node.callFrame) node.positionTicks = [];
        // Functions of the project have the names that V8 has for those that were not executed.
        Object.assign(node.callFrame, source, placeOf && { functionName, place });
      }
      writeFileSync(path, JSON.stringify(result.profile));
    });
    if (placeOf) writeFunctions(functions, coveredFunctions(session, placeOf));
    operations = count;
  },
  values: () => (operations === undefined ? {} : { operations, cpuNs: cpuUs * 1000 }),
};

Reflect.set(globalThis, Symbol.for('bench-cli.probe'), probe);
