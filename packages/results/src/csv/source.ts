/** The text of a file, or its pieces as a stream yields them; bytes are UTF-8. */
export type CsvSource = string | AsyncIterable<Uint8Array | string>;
