/**
 * The source of a function `digest` for benchmarks whose rates look random and are the same every time: the SHA-256 of a short
 * text, as a Buffer. Loading node:crypto takes a process a third as long again as its whole start.
 */
export const digestSource = `
const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32);
const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
const constants = primes.map((prime) => fraction(Math.cbrt(prime)));
function digest(text) {
  const bytes = Buffer.from(text);
  const blocks = Buffer.alloc(Math.ceil((bytes.length + 9) / 64) * 64);
  bytes.copy(blocks);
  blocks[bytes.length] = 0x80;
  blocks.writeUInt32BE(bytes.length * 8, blocks.length - 4);
  const state = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
  const words = new Uint32Array(64);
  const rotate = (x, by) => (x >>> by) | (x << (32 - by));
  for (let start = 0; start < blocks.length; start += 64) {
    let [a, b, c, d, e, f, g, h] = state;
    for (let at = 0; at < 64; at++) {
      const [near, far] = [words[at - 15], words[at - 2]];
      words[at] = at < 16 ? blocks.readUInt32BE(start + 4 * at)
        : words[at - 16] + words[at - 7] + (rotate(near, 7) ^ rotate(near, 18) ^ (near >>> 3)) + (rotate(far, 17) ^ rotate(far, 19) ^ (far >>> 10));
      const first = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + constants[at] + words[at];
      const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [a, b, c, d, e, f, g, h] = [(first + second) >>> 0, a, b, c, (d + first) >>> 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((value, at) => { state[at] += value; });
  }
  const result = Buffer.alloc(32);
  state.forEach((value, at) => result.writeUInt32BE(value, 4 * at));
  return result;
}
`;
