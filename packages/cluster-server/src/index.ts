/**
 * A clustered HTTP server to test clients with, and a comparison of HTTP clients: which of them receives the most answers per
 * second, with intervals, and only if all answers are complete and correct.
 *
 * It does not load servers (see `@bench-cli/benchmarkers`), and it prints nothing: `bench-cli cluster-server` and
 * `bench-cli clients` show its results.
 *
 * @packageDocumentation
 */
export type { Answer } from './client/answer.ts';
export type { ClientConfig } from './client/client-config.ts';
export {
  type ClientConnection,
  type ConnectionSettings,
  defineClient,
  type HttpClient,
  type Target,
} from './client/http-client.ts';
export type { ClientComparison } from './comparison/client-comparison.ts';
export {
  type ComparisonProgress,
  type ComparisonRequest,
  compareClients,
} from './comparison/compare-clients.ts';
export { type ComparisonOptions, comparisonOptionsOf } from './comparison/comparison-options.ts';
export { renderClientCsv, renderClientJson } from './render/data.ts';
export { renderClientMarkdown } from './render/markdown.ts';
export { notesOf } from './render/note.ts';
export type { TableOptions } from './render/row.ts';
export { renderBarChart, renderClientText } from './render/text.ts';
export type { ServerAddress } from './server/address.ts';
export {
  type ClusterServer,
  type ServerEvents,
  startClusterServer,
} from './server/cluster-server.ts';
export type { WorkerDeath } from './server/messages.ts';
export { type CompleteServerOptions, type ServerOptions, serverOptionsOf } from './server/server-options.ts';
