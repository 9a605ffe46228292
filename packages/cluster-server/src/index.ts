/**
 * A clustered HTTP server to test clients with, and a benchmark of HTTP clients. It ranks clients by their
 * answers per second, if all answers are complete and correct.
 *
 * It does not load servers (see `@bench-cli/benchmarkers`). `@bench-cli/runner` executes the benchmark, and
 * `bench-cli http clients` shows the result.
 *
 * @packageDocumentation
 */
export type { Answer } from './client/answer.ts';
export {
  type ClientConnection,
  type ConnectionSettings,
  defineClient,
  type HttpClient,
  type Target,
} from './client/http-client.ts';
export type { ClientConfig } from './client/known-clients.ts';
export type { ClientOptions } from './client-options.ts';
export {
  type ClientRequest,
  type ClientSession,
  clientSession,
} from './client-session.ts';
export type { ServerAddress } from './server/address.ts';
export {
  type ClusterServer,
  type ServerContext,
  startClusterServer,
  type WorkerDeath,
} from './server/cluster-server.ts';
export { type CompleteServerOptions, type ServerOptions, serverOptionsOf } from './server/server-options.ts';
