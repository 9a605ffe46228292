/**
 * A common.js like Node core's, with the properties that benchmarks and runners use: typed configurations in `queue`, `flags`,
 * `extra_options`, a child process for each configuration.
 */

const child_process = require('node:child_process');
class Benchmark {
  constructor(main, configs, options = {}) {
    this.name = require.main.filename.slice(__dirname.length + 1);
    this.flags = (process.env.NODE_BENCHMARK_FLAGS || '')
      .split(' ')
      .filter(Boolean)
      .concat(options.flags || []);
    this.originalOptions = options;
    const chosen = process.env.NODE_RUN_BENCHMARK_GROUPS;
    const sets = options.byGroups
      ? (chosen ? chosen.split(',') : Object.keys(configs)).map((group) => ({ ...configs[group], group }))
      : [configs];
    this.queue = [];
    for (const set of sets) this.expand(set, options);
    this.config = this.queue[0];
    if (this.config === undefined) return;
    process.nextTick(() => {
      if (process.env.NODE_RUN_BENCHMARK_FN !== undefined) main(this.config);
      else this._run();
    });
  }
  expand(declared, { test, combinationFilter }) {
    const testing = process.argv.includes('--test');
    const values = {};
    for (const [key, value] of Object.entries(declared)) {
      const list = [value].flat();
      values[key] = testing ? [typeof list[0] === 'number' ? Math.min(1, list[0]) : list[0]] : list;
    }
    if (testing) for (const [key, value] of Object.entries(test || {})) values[key] = [value].flat();
    this.options = values;
    this.extra_options = {};
    const given = {};
    for (const argument of process.argv.slice(2)) {
      if (argument === '--test') continue;
      const at = argument.indexOf('=');
      if (at < 1) {
        console.error(`bad argument: ${argument}`);
        process.exit(1);
      }
      const key = argument.slice(0, at);
      const text = argument.slice(at + 1);
      if (!(key in values)) this.extra_options[key] = text;
      else {
        given[key] ??= [];
        given[key].push(typeof values[key][0] === 'number' ? Number(text) : text);
      }
    }
    Object.assign(values, given);
    let all = [{}];
    for (const key of Object.keys(values))
      all = all.flatMap((outer) => values[key].map((value) => ({ [key]: value, ...outer })));
    this.queue.push(...all.filter((one) => !combinationFilter || combinationFilter({ ...one })));
  }
  async _run() {
    if (process.send) process.send({ type: 'config', name: this.name, queueLength: this.queue.length });
    const { setup, teardown } = this.originalOptions;
    if (setup) await setup(this.queue);
    for (const config of this.queue) {
      const pairs = Object.entries({ ...config, ...this.extra_options }).map(
        ([key, value]) => `${key}=${value}`,
      );
      const child = child_process.fork(require.main.filename, pairs, {
        env: { ...process.env, NODE_RUN_BENCHMARK_FN: '' },
        execArgv: this.flags.concat(process.execArgv),
      });
      child.on('message', exports.sendResult);
      const code = await new Promise((resolve) => child.on('close', resolve));
      if (code) process.exit(code);
    }
    if (teardown) await teardown();
  }
  start() {
    this.begin = process.hrtime.bigint();
  }
  end(operations) {
    const elapsed = process.hrtime.bigint() - this.begin;
    this.report(operations / (Number(elapsed) / 1e9), elapsed);
  }
  report(rate, elapsed) {
    const digits = String(elapsed).padStart(10, '0');
    const time = `${digits.slice(0, -9)}.${digits.slice(-9)}`;
    exports.sendResult({ type: 'report', name: this.name, conf: this.config, rate, time });
  }
}
exports.createBenchmark = (main, configs, options) => new Benchmark(main, configs, options);
exports.sendResult = (result) => {
  if (process.send) process.send(result);
  else console.log(JSON.stringify(result));
};
