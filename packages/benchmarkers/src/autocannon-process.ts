/**
 * Loads a server with autocannon and prints its result. The histogram of autocannon has whole milliseconds,
 * so this program records the latencies.
 */

import type { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Latencies } from './latencies.ts';

/** The used part of autocannon, which has no types. */
type Autocannon = (options: object) => EventEmitter & PromiseLike<object>;

const autocannon: Autocannon = createRequire(import.meta.url)('#autocannon');
const [options = '', requestsFile = ''] = process.argv.slice(2);
const latencies = new Latencies();
const load = autocannon({ ...JSON.parse(options), requests: JSON.parse(readFileSync(requestsFile, 'utf8')) });
load.on('response', (_client, _status, _bytes, ms: number) => latencies.record(ms));
const result = await load;
console.log(JSON.stringify({ ...result, latency: latencies.figures }));
