import { createBenchmark } from '@bench-cli/core';

// One operation reads the whole body of a Response that is in memory. The number of bytes or of characters is checked.
createBenchmark(
  async ({ from, to, len, n }, bench) => {
    const text = JSON.stringify('x'.repeat(len - 2));
    const bytes = new TextEncoder().encode(text);
    const source = { string: () => text, bytes: () => bytes, stream: () => streamOf(bytes) }[from];
    const read = {
      arrayBuffer: async (response: Response) => (await response.arrayBuffer()).byteLength,
      text: async (response: Response) => (await response.text()).length,
      json: async (response: Response) => String(await response.json()).length + 2,
      blob: async (response: Response) => (await response.blob()).size,
    }[to];
    let sum = 0;
    bench.start();
    for (let i = 0; i < n; i++) sum += await read(new Response(source()));
    bench.end(n);
    if (sum !== n * len) throw new Error(`read ${sum} of ${n * len} bytes`);
  },
  {
    from: ['string', 'bytes', 'stream'],
    to: ['arrayBuffer', 'text', 'json', 'blob'],
    len: [64, 65536],
    n: 1e4,
  },
  { test: { len: 64 } },
);

function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}
