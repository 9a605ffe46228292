import { axiosClient } from '../clients/axios.ts';
import { fetchClient } from '../clients/fetch.ts';
import { gotClient } from '../clients/got.ts';
import { http2Client } from '../clients/http2.ts';
import { kyClient } from '../clients/ky.ts';
import { nodeFetchClient } from '../clients/node-fetch.ts';
import { nodeHttpClients } from '../clients/node-http.ts';
import { podiumClient } from '../clients/podium.ts';
import { superagentClient } from '../clients/superagent.ts';
import { undiciClients } from '../clients/undici.ts';
import type { HttpClient } from './http-client.ts';

/** The built-in clients. The comparison skips those whose package is not installed. */
export const builtInClients: readonly HttpClient[] = [
  ...nodeHttpClients,
  http2Client,
  ...undiciClients,
  fetchClient,
  axiosClient,
  gotClient,
  nodeFetchClient,
  superagentClient,
  kyClient,
  podiumClient,
];
