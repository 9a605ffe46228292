/**
 * The colours of pages and pictures. Orange (slower) and blue (faster) differ for people with every kind of
 * colour blindness, as do the colours of subjects. Each colour of a subject has a contrast of at least 3 with
 * the paper.
 */
export const LIGHT = `
  --paper: #ffffff; --raised: #f6f8fa; --ink: #1f2328; --muted: #59636e; --line: #d1d9e0; --faint: #e6eaef; --focus: #0969da;
  --failed: #cf222e; --slower: #b3470a; --faster: #0b63b8; --same: #59636e;
  --subject-0: #59636e; --subject-1: #8250df; --subject-2: #3ca58a; --subject-3: #7a2f32;
  --subject-4: #775d05; --subject-5: #0f4d89; --subject-6: #d67e53; --subject-7: #b364b5;`;
export const DARK = `
  --paper: #0d1117; --raised: #161b22; --ink: #e6edf3; --muted: #9198a1; --line: #3d444d; --faint: #262c36; --focus: #58a6ff;
  --failed: #ff7b72; --slower: #ff9d57; --faster: #66b3ff; --same: #9198a1;
  --subject-0: #9198a1; --subject-1: #be8fff; --subject-2: #64c7bf; --subject-3: #c34870;
  --subject-4: #ddca67; --subject-5: #316f9f; --subject-6: #de8524; --subject-7: #b630d3;`;

const subjects = Array.from({ length: 8 }, (_, at) => `.subject-${at} { color: var(--subject-${at}); }`);

/** The style of marks in pages and pictures. The class of a subject sets the current colour. */
export const MARK_STYLE = `
${subjects.join(' ')}
use { fill: currentColor; } .run { fill-opacity: .8; }
#mark-undecided { fill: var(--paper); stroke: currentColor; stroke-width: 1.5; }
#mark-left, #mark-right, #mark-up, #mark-down { fill: none; stroke: currentColor; stroke-width: 2; }
.tick { fill: var(--muted); font-size: 12px; font-variant-numeric: tabular-nums; } .middle { text-anchor: middle; } .end { text-anchor: end; }
.grid { stroke: var(--faint); } .zero { stroke: var(--muted); }
.box { fill: currentColor; fill-opacity: .15; stroke: currentColor; }
.estimate line { stroke: currentColor; stroke-width: 1.5; stroke-opacity: .65; } .estimate circle { fill: currentColor; } .ink { color: var(--ink); }
line.median { stroke: var(--ink); stroke-width: 2; stroke-opacity: 1; }
.hollow .run { fill: var(--paper); stroke: currentColor; stroke-width: 1.5; }
.path { stroke: currentColor; stroke-opacity: .4; } .mean { stroke: currentColor; stroke-width: 1.5; stroke-dasharray: 6 4; }
`;

/** The font of pictures. The package contains it, so no font needs to be installed. */
export const FONT = 'Inter';

const colours = new Map(
  Array.from(LIGHT.matchAll(/--([\w-]+): (#\w+)/g), ([, name, colour]) => [name, colour]),
);

/** The style of a picture file: light colours, without variables, because some viewers lack them. */
export const FILE_STYLE = `
text { font-family: ${FONT}, "Helvetica Neue", Arial, sans-serif; font-size: 12px; fill: var(--ink); }
text.muted { fill: var(--muted); } text.title { font-weight: 700; }${MARK_STYLE}.path { stroke-width: 1.5; stroke-opacity: .7; }
`.replaceAll(/var\(--([\w-]+)\)/g, (_, name: string) => colours.get(name) ?? 'black');

/**
 * The symbols of pictures around their origin: `mark-…` for verdicts and values beyond an axis, `shape-…` for
 * subjects. The shapes differ, for readers who cannot distinguish the colours.
 */
export const SYMBOLS = `<defs>
<path id="mark-failed" d="M-5-3L-3-5L0-2L3-5L5-3L2 0L5 3L3 5L0 2L-3 5L-5 3L-2 0Z"/><path id="mark-slower" d="M-5-4H5L0 5Z"/><path id="mark-faster" d="M-5 4H5L0-5Z"/>
<circle id="mark-undecided" r="3.5"/><circle id="mark-not-run" r="1.5"/><rect id="mark-no-difference" x="-4" y="-2" width="8" height="4" rx="1"/>
<path id="mark-left" d="M7-4.5L1 0L7 4.5"/><path id="mark-right" d="M-7-4.5L-1 0L-7 4.5"/>
<path id="mark-up" d="M-4.5 7L0 1L4.5 7"/><path id="mark-down" d="M-4.5-7L0-1L4.5-7"/>
<circle id="shape-0" r="3"/><rect id="shape-1" x="-2.8" y="-2.8" width="5.6" height="5.6"/>
<path id="shape-2" d="M0-4L4 0L0 4L-4 0Z"/><path id="shape-3" d="M-3.6 3H3.6L0-3.8Z"/>
</defs>`;
