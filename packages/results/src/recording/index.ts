/**
 * Results files: types, reading, validation, and joining shards. `@bench-cli/runner` writes them.
 * @packageDocumentation
 */

export * from './command-line.ts';
export * from './difference.ts';
export { checkNew, type Recordings, readRecordings, writeRecordings } from './join.ts';
export * from './line.ts';
export { chainedLine, digestOfLine, unchainedLine } from './line-chain.ts';
export { lineReader } from './line-reader.ts';
export * from './read.ts';
export * from './recorded-settings.ts';
export { byPlan, drawnOrder, subjectOrders } from './run-order.ts';
