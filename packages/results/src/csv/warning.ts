/** Something in a file that was passed over. `message` says what happened, why it matters and what to do. */
export type CsvWarning = { readonly kind: 'torn-last-line'; readonly line: number; readonly message: string };
