/**
 * A clustered HTTP server to test clients against, and the comparison of HTTP clients: which of them receives the most
 * answers a second, with what certainty, and only where every answer was whole and real.
 *
 * It is not for loading servers (`@bench-cli/benchmarkers`), and it prints nothing: `bench-cli cluster-server` and
 * `bench-cli clients` show what it finds.
 *
 * @packageDocumentation
 */
export type { Answer, AnswerBody } from './client/answer.ts';
export { builtInClients } from './client/built-in.ts';
export type { ClientConfig } from './client/client-config.ts';
export {
  type ClientConnection,
  type ConnectionSettings,
  defineClient,
  type HttpClient,
  type Target,
} from './client/http-client.ts';
export type {
  ClientComparison,
  FailedClient,
  SkippedClient,
  UnsettledClient,
} from './comparison/client-comparison.ts';
export {
  type ComparisonProgress,
  type ComparisonRequest,
  compareClients,
} from './comparison/compare-clients.ts';
export {
  type ComparisonOptions,
  type CompleteComparisonOptions,
  comparisonOptionsOf,
} from './comparison/comparison-options.ts';
export type { Estimate, Standing } from './comparison/standing.ts';
export { type Protocol, protocols } from './protocol.ts';
export { renderBarChart } from './render/bar-chart.ts';
export { renderClientCsv } from './render/csv.ts';
export { renderClientJson } from './render/json.ts';
export { renderClientMarkdown } from './render/markdown.ts';
export { notesOf } from './render/note.ts';
export type { TableOptions } from './render/row.ts';
export { renderClientText } from './render/text.ts';
export { ANSWER_BYTES } from './server/answering.ts';
export { type ClusterServer, type ServerEvents, startClusterServer } from './server/cluster-server.ts';
export type { WorkerCount, WorkerDeath } from './server/messages.ts';
export { type CompleteServerOptions, type ServerOptions, serverOptionsOf } from './server/server-options.ts';
export type { ServerAddress } from './target/server-probe.ts';
