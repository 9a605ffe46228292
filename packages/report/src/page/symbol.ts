/**
 * The symbols of the page, drawn around their origin: `mark-…` of verdicts and of what leaves a scale, `shape-…` of subjects.
 * They differ in shape, for readers who cannot distinguish the colours.
 */
export const SYMBOLS = `<svg class="symbols" aria-hidden="true"><defs>
<path id="mark-slower" d="M-5-4H5L0 5Z"/><path id="mark-faster" d="M-5 4H5L0-5Z"/>
<circle id="mark-undecided" r="3.5"/><rect id="mark-no-difference" x="-4" y="-2" width="8" height="4" rx="1"/>
<path id="mark-left" d="M7-4.5L1 0L7 4.5"/><path id="mark-right" d="M-7-4.5L-1 0L-7 4.5"/>
<circle id="shape-0" r="3"/><rect id="shape-1" x="-2.8" y="-2.8" width="5.6" height="5.6"/>
<path id="shape-2" d="M0-4L4 0L0 4L-4 0Z"/><path id="shape-3" d="M-3.6 3H3.6L0-3.8Z"/>
</defs></svg>`;
