import { generate } from 'selfsigned';
import type { Certificate } from '../src/contract/test-server.ts';

/** Makes a new certificate; one in the repository would expire. */
export async function makeCertificate(): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
  return { key, cert };
}
