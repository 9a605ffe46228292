import { createConnection } from 'node:net';
import { defineClient } from '../client/http-client.ts';

/** node:http2, with all requests on one connection, over TLS or in cleartext. */
export const http2Client = defineClient({
  name: 'native - http2',
  protocols: ['http2', 'h2c'],
  unixSocket: true,
  connect({ url, protocol, socketPath, method, body, headers }) {
    const { connect } = process.getBuiltinModule('node:http2');
    const { pathname, hostname } = new URL(url);
    const session = connect(url, {
      ...(socketPath !== undefined && {
        createConnection: () =>
          protocol === 'h2c'
            ? createConnection(socketPath)
            : process
                .getBuiltinModule('node:tls')
                .connect({ path: socketPath, servername: hostname, ALPNProtocols: ['h2'] }),
      }),
    });
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
