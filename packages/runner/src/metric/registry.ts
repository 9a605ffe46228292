import { alloc } from './alloc.ts';
import { cpu } from './cpu.ts';
import { eventLoop } from './event-loop.ts';
import { collections, gc } from './gc.ts';
import { hardware } from './hardware.ts';
import type { Metric } from './metric.ts';
import { rss } from './rss.ts';

/**
 * In the order in which they begin. They end in reverse, so that none measures the others' work, except that the counters of the
 * processor have about a tenth of a millisecond of it: to start them takes the longest.
 */
export const metrics: readonly Metric[] = [...hardware, rss, eventLoop, cpu, collections, gc, alloc];
