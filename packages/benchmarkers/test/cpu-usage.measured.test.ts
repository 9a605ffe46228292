import { expect, it } from 'vitest';
import { answering, startRawServer } from './raw-server.ts';
import { autocannon } from './tool.ts';

it.runIf(process.platform === 'linux')(
  'observes the CPU time of the load tool and of the server',
  async () => {
    await using server = await startRawServer(
      answering((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')),
    );
    const { usage } = await autocannon.run({ port: server.port, connections: 2, durationSeconds: 1 });
    expect(usage?.tool.cpuSeconds).toBeGreaterThan(0);
    // The server is in this process.
    expect(usage?.server?.cpuSeconds).toBeGreaterThan(0);
    expect(usage?.sharesCpus).toBe(true);
  },
);
