/**
 * The rates of many samples, 12 bytes each. They are stored in the order of the file and sorted by sample at
 * the end, because a list per sample would access distant memory for every row.
 */
export class RateColumns {
  #rates: Float64Array<ArrayBuffer> = new Float64Array(1024);
  #samples: Uint32Array<ArrayBuffer> = new Uint32Array(1024);
  #length = 0;

  /** @param sample the number of the sample, from 0 */
  push(sample: number, rate: number): void {
    if (this.#length === this.#rates.length) this.#grow();
    this.#rates[this.#length] = rate;
    this.#samples[this.#length++] = sample;
  }

  /** The rates of each sample in the order of the file; all samples share one buffer. */
  bySample(count: number): readonly Float64Array[] {
    const rates = this.#rates.subarray(0, this.#length);
    const samples = this.#samples.subarray(0, this.#length);
    const lengths = new Uint32Array(count);
    for (const sample of samples) lengths[sample] = (lengths[sample] ?? 0) + 1;
    let total = 0;
    const starts = lengths.map((length) => {
      total += length;
      return total - length;
    });
    const sorted = new Float64Array(total);
    const ends = starts.slice();
    rates.forEach((rate, row) => {
      const sample = samples[row] ?? 0;
      const end = ends[sample] ?? 0;
      sorted[end] = rate;
      ends[sample] = end + 1;
    });
    return Array.from(starts, (start, sample) => sorted.subarray(start, ends[sample]));
  }

  #grow(): void {
    this.#rates = new Float64Array(this.#rates.buffer.transfer(2 * this.#rates.byteLength));
    this.#samples = new Uint32Array(this.#samples.buffer.transfer(2 * this.#samples.byteLength));
  }
}
