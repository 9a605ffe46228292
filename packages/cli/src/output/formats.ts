/** How comparisons are printed. */
export const comparisonFormats = ['table', 'json', 'markdown'] as const;
export type ComparisonFormat = (typeof comparisonFormats)[number];

/** How `compare` prints results; CSV is that of Node core's compare.js. */
export const compareFormats = ['csv', ...comparisonFormats] as const;
export type CompareFormat = (typeof compareFormats)[number];

/** How `run` prints results; the first two are those of Node core's run.js. */
export const runFormats = ['simple', 'csv', 'json'] as const;
export type RunFormat = (typeof runFormats)[number];
