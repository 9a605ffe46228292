import { generate } from 'selfsigned';
import type { TestCertificate } from '../src/contract/test-server.ts';

/** Makes a new certificate; one in the repository would expire. */
export async function makeCertificate(): Promise<TestCertificate> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
  return { key, cert };
}
