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

/** The clients that need no adapter of the user's. Those whose package is not installed are left out. */
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
