import { generate } from 'selfsigned';
import type { Certificate } from '../src/contract/index.ts';

/** A certificate of this moment: none in the repository can expire. */
export async function makeCertificate(): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
  return { key, cert };
}
