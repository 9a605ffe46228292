import { once } from 'node:events';
import { createBenchmark } from '@bench-cli/core';

const host = '127.0.0.1';

/** Each starts a server on a free port that answers with the same JSON, and returns it. */
const frameworks = {
  async express() {
    const { default: express } = await import('express');
    const app = express();
    app.get('/', (_request, response) => response.json({ hello: 'world' }));
    return app.listen(0, host);
  },
  async fastify() {
    const { default: fastify } = await import('fastify');
    const app = fastify();
    app.get('/', async () => ({ hello: 'world' }));
    await app.listen({ port: 0, host });
    return app.server;
  },
  async hono() {
    const { Hono } = await import('hono');
    const { serve } = await import('@hono/node-server');
    const app = new Hono();
    app.get('/', (context) => context.json({ hello: 'world' }));
    return serve({ fetch: app.fetch, port: 0, hostname: host });
  },
  async koa() {
    const { default: Koa } = await import('koa');
    const app = new Koa();
    app.use((context) => {
      context.body = { hello: 'world' };
    });
    return app.listen(0, host);
  },
};

createBenchmark(
  async ({ framework, connections, duration }, bench) => {
    const server = await frameworks[framework]();
    if (!server.listening) await once(server, 'listening');
    await bench.http({ port: server.address().port, connections, duration, warmUpSeconds: duration / 2 });
    server.close();
  },
  { framework: Object.keys(frameworks), connections: 50, duration: 4 },
);
