/** Reads an array at random, or also allocates, for 100 ms that warm up and 200 ms that are measured. Prints its rate and its times. */
const { readFileSync } = require('node:fs');
const { performance } = require('node:perf_hooks');

const [bytes, allocates] = [Number(process.argv[2]), process.argv[3] === 'true'];
const numbers = new Uint32Array(bytes / 4).map((_, at) => at * 2_654_435_761);
/** In which the main thread ran or waited for a CPU. */
const ranMs = () => {
  const [ran, waited] = readFileSync('/proc/self/schedstat', 'latin1').split(' ').map(Number);
  return (ran + waited) / 1e6;
};
let at = 1;
let kept = [];
let result = 0;
function operation() {
  let sum = 0;
  for (let i = 0; i < 500; i++) {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0;
    sum += numbers[at % numbers.length];
  }
  if (allocates) kept = Array.from({ length: 50 }, (_, i) => ({ sum, i }));
  return sum + kept.length;
}

function measure(ms) {
  const [began, ranBefore] = [performance.now(), ranMs()];
  let operations = 0;
  do {
    for (let i = 0; i < 20; i++) result = operation();
    operations += 20;
  } while (performance.now() < began + ms);
  const countedMs = performance.now() - began;
  return { rate: operations / countedMs, countedMs, ranMs: ranMs() - ranBefore };
}

measure(100);
console.log(JSON.stringify({ ...measure(200), result }));
