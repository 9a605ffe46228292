/** Rates of a sample whose number is not known beforehand, at 8 bytes each. */
export class RateList {
  #rates: Float64Array<ArrayBuffer> = new Float64Array(8);
  #length = 0;

  push(rate: number): void {
    if (this.#length === this.#rates.length) {
      const larger = new Float64Array(2 * this.#length);
      larger.set(this.#rates);
      this.#rates = larger;
    }
    this.#rates[this.#length++] = rate;
  }

  /** The rates so far; it shares their memory. */
  toArray(): Float64Array {
    return this.#rates.subarray(0, this.#length);
  }
}
