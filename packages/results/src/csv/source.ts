/** The text of a file, or its pieces as a stream yields them; bytes are UTF-8. */
export type CsvSource = string | AsyncIterable<Uint8Array | string>;

/** A part of a file that was skipped. `message` says what happened, why it matters and what to do. */
export type CsvWarning = { readonly kind: 'torn-last-line'; readonly line: number; readonly message: string };
