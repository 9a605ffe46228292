import { LoadError } from '@bench-cli/benchmarkers';
import { expect, it } from 'vitest';

it.each([
  ['wrk', ['-H', 'Authorization: Basic c2VjcmV0', 'return {headers={["Authorization"]="Basic c2VjcmV0"}}']],
  ['h2load', ['--header', 'proxy-authorization:Basic c2VjcmV0', 'http://127.0.0.1/']],
  ['autocannon', ['{"headers":{"authorization":"Basic c2VjcmV0"},"port":1}']],
])('the command line of %s in a message has no password', (tool, args) => {
  const { message, command } = new LoadError('ERR_BENCH_LOAD_EXIT', 'it failed', {
    command: [tool, ...args],
  });
  expect(message).not.toContain('c2VjcmV0');
  expect(message.split('***')).toHaveLength(tool === 'wrk' ? 3 : 2);
  expect(message).toContain(args.at(-1)?.slice(-2));
  expect(command).toEqual([tool, ...args]);
});
