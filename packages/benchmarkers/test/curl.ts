import { defineBenchmarker } from '@bench-cli/benchmarkers';

/** An adapter as a user would write it. curl sends one request. */
export const curl = defineBenchmarker({
  name: 'curl',
  protocols: ['http', 'https'],
  supports: ['timeoutSeconds'],
  byNameOnly: true,
  tool: { program: 'curl', minimumVersion: '7.70.0', install: 'Debian: apt-get install curl' },
  argumentsFor: ({ url, headers, timeoutSeconds = 30 }) => [
    ...['--silent', '--show-error', '--insecure', '--http1.1', '--output', '/dev/null'],
    ...['--max-time', String(timeoutSeconds), '--write-out', '%{json}'],
    ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    url,
  ],
  parse({ stdout }) {
    const { http_code, time_total, size_download } = JSON.parse(stdout);
    const non2xx = http_code >= 200 && http_code < 300 ? 0 : 1;
    return { requests: 1, durationSeconds: time_total, bytes: size_download, non2xx };
  },
});
