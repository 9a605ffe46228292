/**
 * Code for the process of a benchmark, under Node.js 18.19 and later: files that the process loads before the
 * benchmark, each in one bundle, and the order for these files. This entry is for the runner.
 *
 * @packageDocumentation
 */
export { agentFile, agentPath } from './agent-file.ts';
export { type CheckedRun, isChecked } from './check/checked-run.ts';
export type { FunctionsOrder } from './check/covered-functions.ts';
export { writeMessage } from './message-writer.ts';
export {
  type ActivityOrder,
  type NodeCoreOrder,
  type Order,
  orderVariable,
  type ToolCheck,
} from './order.ts';
export { type Manifest, manifestVariable, parentFor } from './preload/manifest.ts';
export { mapsIn } from './preload/source-positions.ts';
