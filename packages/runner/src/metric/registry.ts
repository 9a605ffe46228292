import { alloc } from './alloc.ts';
import { cpu } from './cpu.ts';
import { eventLoop } from './event-loop.ts';
import { collections, gc } from './gc.ts';
import type { Metric } from './metric.ts';
import { rss } from './rss.ts';

/** In the order in which they begin. They end in reverse, so that none measures the others' work. */
export const metrics: readonly Metric[] = [rss, eventLoop, cpu, collections, gc, alloc];
