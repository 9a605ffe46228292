import { defineClient } from '../client/http-client.ts';

/** node:http2, with all requests on one connection, over TLS or in cleartext. */
export const http2Client = defineClient({
  name: 'native - http2',
  protocols: ['http2', 'h2c'],
  unixSocket: true,
  connect({ url, socketPath, method, body, headers }) {
    const { connect } = process.getBuiltinModule('node:http2');
    const { pathname } = new URL(url);
    const place = socketPath === undefined ? {} : { path: socketPath };
    const session = connect(url, place);
    let broken: Error | undefined;
    session.on('error', (error) => {
      broken = error;
    });
    return {
      request: (answer) =>
        new Promise<void>((resolve, reject) => {
          if (broken !== undefined) return reject(broken);
          const stream = session.request({ ...headers, ':path': pathname, ':method': method });
          stream.once('error', reject);
          stream.once('response', ({ ':status': status = 0 }) => {
            answer.read(status, stream).then(resolve, reject);
          });
          stream.end(body);
        }),
      close: () => session.destroy(),
    };
  },
});
