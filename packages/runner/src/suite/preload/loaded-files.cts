/** Loaded with --require into a process that plans a benchmark: when it ends, it writes which files it has loaded. */
{
  const { writeFileSync }: typeof import('node:fs') = require('node:fs');
  const { Session }: typeof import('node:inspector') = require('node:inspector');
  const { join }: typeof import('node:path') = require('node:path');

  const directory = process.env['BENCH_CLI_LOADED_FILES'];
  // Child processes of a benchmark do not plan it.
  delete process.env['BENCH_CLI_LOADED_FILES'];

  process.once('exit', () => {
    if (directory === undefined) return;
    // The debugger names the modules of both kinds, also those that were loaded before it.
    const session = new Session();
    const files = new Set<string>();
    session.connect();
    session.on('Debugger.scriptParsed', ({ params: { url } }) => {
      if (url.startsWith('file:')) files.add(url);
    });
    session.post('Debugger.enable');
    session.disconnect();
    writeFileSync(
      join(directory, `${process.pid}-${process.hrtime.bigint()}.json`),
      JSON.stringify([...files]),
    );
  });
}
