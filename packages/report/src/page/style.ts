import { DARK, LIGHT, MARK_STYLE } from '../picture/mark-style.ts';

export const STYLE = `
:root { color-scheme: light; ${LIGHT} }
@media screen and (prefers-color-scheme: dark) { :root { color-scheme: dark; ${DARK} } }
${MARK_STYLE}* { box-sizing: border-box; } [hidden] { display: none !important; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: break-word; }
h1, .name, .lane-name, .lane-title, tr.group > th, .subjects, .findings, .notice, code, dd, .toggle, .side, .figures th, .tests, .lead { overflow-wrap: anywhere; }
main { max-width: 1200px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 24px; line-height: 1.25; font-weight: 600; margin: 0 0 8px; text-wrap: balance; }
h2 { font-size: 18px; line-height: 1.3; font-weight: 600; margin: 40px 0 12px; }
p { margin: 0 0 8px; max-width: 80ch; }
ul { margin: 0; padding: 0; list-style: none; }
.muted { color: var(--muted); } .word { white-space: nowrap; }
.lead { font-size: 16px; margin-top: 12px; } .lead + .lead { margin-top: 0; }
.symbols { position: absolute; width: 0; height: 0; }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 8px; top: 8px; background: var(--paper); padding: 8px; z-index: 3; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
button, input, select { font: inherit; color: inherit; }
button, select, summary, .named, .plot { cursor: pointer; }
button:disabled { cursor: default; opacity: .5; }
.mark { width: 12px; height: 12px; vertical-align: -1px; flex: none; overflow: visible; }

.subjects { display: flex; flex-wrap: wrap; gap: 4px 20px; }
.verdicts { display: grid; grid-template-columns: repeat(auto-fit, minmax(132px, 1fr)); gap: 12px; margin: 20px 0 12px; max-width: 760px; }
.verdicts button, .verdicts a { display: block; box-sizing: border-box; width: 100%; height: 100%; color: inherit; text-decoration: none; padding: 10px 14px; text-align: left; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); }
.verdicts button:hover, .verdicts a:hover { background: var(--raised); }
.verdicts button[aria-pressed=true] { border-color: var(--focus); box-shadow: inset 0 0 0 1px var(--focus); background: var(--raised); }
.verdicts .none { color: var(--muted); } .verdicts .none .mark { opacity: .5; }
.verdicts strong { display: block; font-size: 24px; line-height: 1.25; font-weight: 600; font-variant-numeric: tabular-nums; }
.failed { --tone: var(--failed); } .slower { --tone: var(--slower); } .faster { --tone: var(--faster); } .undecided, .not-run, .no-difference { --tone: var(--same); }
.verdicts .mark, .verdict .mark { color: var(--tone); }

.notice { margin: 8px 0; padding: 8px 12px; border: 1px solid var(--line); border-left: 3px solid var(--muted); border-radius: 6px; max-width: 900px; }
.notice.failed { border-left-color: var(--failed); } .lead.failed { color: var(--failed); font-weight: 600; } .notice ul { margin: 6px 0 2px 16px; } .notice li { margin: 2px 0; }
.extremes { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(340px, 100%), 1fr)); gap: 0 32px; }
.extremes h2 { margin-top: 24px; }
.findings li { display: grid; grid-template-columns: 5.5em 1fr; gap: 8px; align-items: baseline; }
.findings button { border: 0; background: none; padding: 2px 0; text-align: left; color: var(--focus); }
.findings button:hover { text-decoration: underline; }
.findings .by { white-space: nowrap; font-variant-numeric: tabular-nums; font-weight: 600; text-align: right; }

.controls { display: flex; flex-wrap: wrap; gap: 10px 20px; align-items: center; margin-bottom: 16px; }
.controls label { display: flex; gap: 8px; align-items: center; }
.controls .search { flex: 0 1 420px; }
.controls input[type=search] { flex: 1; min-width: 0; }
.controls input[type=search], select { padding: 5px 10px; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); min-height: 32px; max-width: 100%; }
.controls input::placeholder { color: var(--muted); opacity: 1; }
.pager { display: flex; gap: 8px; margin: 16px 0; }
.pager button, .command button, #all-lanes { padding: 4px 12px; min-height: 32px; border: 1px solid var(--line); border-radius: 6px; background: var(--raised); white-space: nowrap; }
#all-lanes { margin-top: 8px; }
#status { margin: 16px 0 8px; color: var(--muted); }

figure { margin: 0; min-width: 0; }
.lane { display: grid; grid-template-columns: minmax(0, 300px) minmax(0, 1fr) 170px; column-gap: 16px; align-items: center; }
.lane svg { display: block; width: 100%; overflow: visible; }
.lane + .lane, .named-lane { border-top: 1px solid var(--faint); }
.named-lane + .named-lane { padding-top: 4px; }
.lane-name { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; line-height: 1.35; }
.lane-title { font-weight: 600; padding: 4px 0; }
.lane-title ~ .named .lane-name { padding-left: 12px; }
.named:hover, .plot:hover { background: var(--raised); }
.lane-note { color: var(--muted); font-size: 12px; font-variant-numeric: tabular-nums; }
.named .lane-note { font-size: 13px; color: var(--ink); }
.plot { position: relative; }
.tip { position: absolute; left: 0; right: 0; z-index: 2; pointer-events: none; width: fit-content; margin: 0 auto; padding: 4px 8px; font-size: 12px; border-radius: 6px; background: var(--ink); color: var(--paper); }
.estimate.slower, .estimate.faster, .estimate.undecided, .estimate.no-difference { color: var(--tone); }
.dense line { stroke-width: 1; } .dense .estimate line { stroke-opacity: .2; }

table { border-collapse: collapse; width: 100%; }
#comparisons > * > tr > .name { width: 99%; min-width: 200px; }
#comparisons > * > tr > th, #comparisons > * > tr > td { padding: 6px 10px; text-align: left; vertical-align: top; font-weight: 400; }
#comparisons > thead > tr > th { position: sticky; top: 0; background: var(--paper); z-index: 1; box-shadow: inset 0 -1px 0 var(--line); font-weight: 600; vertical-align: bottom; }
#comparisons > tbody > tr { border-bottom: 1px solid var(--faint); }
#comparisons > thead button { border: 0; background: none; padding: 0; font-weight: 600; line-height: 1.3; text-align: inherit; }
#comparisons > thead .number button { max-width: 11em; min-width: 4.5em; overflow-wrap: break-word; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; margin-left: auto; white-space: normal; }
th[aria-sort=ascending] button::after { content: " \\2191" / ""; } th[aria-sort=descending] button::after { content: " \\2193" / ""; }
#comparisons.several > * > tr > .subject { width: 40%; min-width: 11em; overflow-wrap: anywhere; } #comparisons.several > * > tr > .name { width: 60%; } .several:where(:not(.few)) .interval { display: none; }
#comparisons .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
#comparisons td.runs { white-space: normal; }
#comparisons > tbody > tr.group > th { padding-top: 18px; font-weight: 400; }
.heading { font-weight: 600; } .counts { float: right; color: var(--muted); font-size: 12px; }
.toggle { border: 0; background: none; padding: 0 0 0 16px; text-align: left; position: relative; }
.toggle::before { content: "\\25B8" / ""; position: absolute; left: 0; color: var(--muted); }
.toggle[aria-expanded=true]::before { content: "\\25BE" / ""; }
.toggle:hover { text-decoration: underline; }
.flag { margin-left: 16px; padding: 0 6px; border: 1px solid var(--line); border-radius: 10px; font-size: 12px; white-space: nowrap; color: var(--muted); }
td.verdict { white-space: nowrap; }
.failed > td.verdict, .slower > td.verdict, .faster > td.verdict, .slower > td.change, .faster > td.change { color: var(--tone); font-weight: 600 !important; }
.undecided > td.verdict, .not-run > td.verdict, .no-difference > td.verdict { color: var(--muted); }
td.bar { white-space: nowrap; } td.bar svg { width: 150px; margin-right: 12px; vertical-align: middle; overflow: visible; }
.few td.bar svg { display: none; } .interval { display: inline-block; min-width: 10.5em; color: var(--muted); font-size: 13px; text-align: right; font-variant-numeric: tabular-nums; }

h3 { font-size: 15px; font-weight: 600; margin: 20px 0 4px; }
table.metric { font-variant-numeric: tabular-nums; } .metric th, .metric td { padding: 6px 10px; text-align: left; font-weight: 400; vertical-align: top; }
.metric th[scope=row] { width: 50%; overflow-wrap: anywhere; } .metric thead th { font-weight: 600; } .metric tr { border-bottom: 1px solid var(--faint); }
.metric .number { text-align: right; white-space: nowrap; } .metric .range { color: var(--muted); }
.metric .failed > .verdict, .metric .slower > .verdict, .metric .faster > .verdict, .metric .slower > .change, .metric .faster > .change { color: var(--tone); font-weight: 600; }

.why { margin: 8px 0; padding: 4px 12px; border: 1px solid var(--line); border-radius: 6px; } .why summary { padding: 6px 0; overflow-wrap: anywhere; }

tr.details > td { background: var(--raised); padding: 16px !important; }
.samples { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr)); gap: 20px 32px; }
figcaption { font-weight: 600; margin-bottom: 8px; }
.chart { display: grid; grid-template-columns: minmax(56px, max-content) minmax(0, 1fr); column-gap: 12px; padding-right: 24px; }
.chart > svg { display: block; width: 100%; overflow: visible; }
.chart > .sides { font-size: 12px; max-width: 120px; }
.side { height: 44px; display: flex; align-items: center; gap: 6px; line-height: 1.2; } .side .mark { overflow: visible; }
.note { color: var(--muted); font-size: 12px; margin: 4px 0 0; }
.figures { width: auto; margin: 16px 0 8px; } .figures caption { text-align: left; color: var(--muted); }
.figures th, .figures td { padding: 2px 16px 2px 0; font-weight: 400; text-align: left; } .figures thead th { font-weight: 600; text-align: right; vertical-align: bottom; max-width: 14em; } .figures .number { text-align: right; }
.warnings, .tests { margin: 8px 0; } .warnings li::before { content: "Warning: "; font-weight: 600; }
.command { display: flex; gap: 8px; align-items: flex-start; }
code { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 5px 8px; min-width: 0; }
footer { margin-top: 40px; padding-top: 12px; border-top: 1px solid var(--line); font-size: 12px; overflow-wrap: anywhere; }
dl.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 20px; margin: 0; }
dl.facts dt { color: var(--muted); } dl.facts dd { margin: 0; }

@media (max-width: 1160px) { #comparisons:where(:not(.few)) .interval, #comparisons.several .runs { display: none; } td.bar svg { margin: 0; } td.verdict { white-space: normal; } }
@media (max-width: 990px) { .metric .range { white-space: normal; } .metric th, .metric td { padding: 6px; } #comparisons > * > tr > th, #comparisons > * > tr > td { padding: 6px; } #comparisons > thead .number button { max-width: 6em; } #comparisons > * > tr > .name { min-width: 160px; } #comparisons .runs, .several .old { display: none; } #comparisons.several > * > tr > .subject { min-width: 8em; } .lane { grid-template-columns: minmax(0, 200px) minmax(0, 1fr) 100px; } td.bar svg { width: 110px; } }
@media screen and (max-width: 730px) {
  main { padding: 20px 16px 48px; }
  button, .controls label, select { min-height: 44px; } .findings a { display: flex; align-items: center; min-height: 44px; } .findings .by { align-self: center; } .notice { padding: 0 12px; } summary { padding: 11px 0; } .notice ul { margin-top: 0; padding-bottom: 10px; }
  .verdicts { grid-template-columns: 1fr 1fr; gap: 8px; }
  .controls .search { flex-basis: 100%; }
  .lane { grid-template-columns: minmax(0, 1fr) max-content; column-gap: 8px; padding: 4px 0; } .lane svg, .lane .plot { grid-row: 2; grid-column: 1 / -1; }
  .plot svg { grid-row: auto; }
  #comparisons, #comparisons > thead, #comparisons > tbody { display: block; }
  #comparisons > thead > tr { display: flex; flex-wrap: wrap; gap: 0 20px; border-bottom: 1px solid var(--line); }
  #comparisons > thead > tr > th { position: static; padding: 0 !important; width: auto !important; min-width: 0 !important; box-shadow: none; }
  #comparisons > thead > tr::before { content: "Sort by"; color: var(--muted); align-self: center; }
  #comparisons > thead .bar { display: none; } #comparisons > thead .number button { text-align: left; min-width: 0; max-width: calc(100vw - 32px); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  #comparisons > tbody > tr { display: flex; flex-wrap: wrap; gap: 2px 6px; padding: 6px 0 12px; }
  #comparisons > tbody > tr > * { padding: 0; width: auto; order: 4; flex: 1 0 100%; }
  #comparisons > tbody > tr > .name, #comparisons > tbody > tr > .subject { order: 1; }
  #comparisons > tbody > tr > .verdict { order: 2; flex: 1 0 60%; } #comparisons > tbody > tr > .change { order: 2; flex: 1 0 33%; }
  #comparisons > tbody > tr > .old { order: 3; flex: none; } #comparisons > tbody > tr > .new { order: 3; flex: 1; text-align: left; }
  #comparisons td.new::before, .metric td.new::before { content: "→ "; } #comparisons tr:not(.timed, .unmeasured) td.new::after { content: " ops/s"; }
  td.bar svg { width: 100%; margin: 0; } #comparisons .interval, .several .old { display: block; } .interval { text-align: left; }
  #comparisons > tbody > tr.group > th { padding-top: 16px; } .counts { float: none; display: block; }
  tr.details > td { margin: 0 -16px; }
  .metric, .metric tbody { display: block; } .metric thead { display: none; }
  .metric tr { display: flex; flex-wrap: wrap; gap: 2px 6px; padding: 6px 0 12px; } .metric th, .metric td { padding: 0; text-align: left !important; }
  .metric th[scope=row] { flex: 1 0 100%; width: auto; } .metric .verdict { flex: 1 0 60%; } .metric .change { flex: 1 0 33%; order: 1; } .metric .old, .metric .new, .metric .range { order: 2; }
  .metric .range { flex: 1 0 100%; } .metric [data-title] { flex: 1 0 40%; } .metric [data-title]::before { content: attr(data-title) " "; color: var(--muted); }
  .figures { font-size: 12px; } .figures th, #comparisons .figures td { padding-right: 8px; white-space: normal; overflow-wrap: anywhere; }
  dl.facts { grid-template-columns: 1fr; } dl.facts dd { margin-bottom: 6px; }
}
@media print {
  main { max-width: none; padding: 0; } body { font-size: 11pt; }
  .controls, .pager, .skip, #all-lanes, .command button, .toggle::before { display: none !important; }
  #comparisons > thead > tr > th { position: static; } tr, .lane, figure, .notice { break-inside: avoid; } h2 { break-after: avoid; }
  * { print-color-adjust: exact; }
}
`;

export const RATES_STYLE = `
.rates { overflow-x: auto; padding-left: 8px; margin-left: -8px; } .figures tbody th { min-width: 170px; } .matrix tbody th { min-width: 80px; } .matrix .muted { display: block; font-size: 12px; } .figures th svg, .figures td svg { display: block; width: calc(100% - 20px); overflow: visible; }
.figures tbody td { vertical-align: bottom; } .figures td, .figures:not(.matrix) thead th { white-space: nowrap; }
@media screen and (max-width: 730px) {
  .rates table, .rates caption, .rates thead, .rates tbody { display: block; } .rates thead th, .matrix thead, .rates td:empty { display: none; }
  .rates tr { display: flex; flex-wrap: wrap; gap: 0 12px; padding-bottom: 8px; } .rates th, .rates thead td { flex: 1 0 100%; padding: 0; } .matrix th { font-weight: 600; }
  .matrix td { flex: 1 0 100%; text-align: left !important; white-space: normal; overflow-wrap: anywhere; } .rates [data-title]::before { content: attr(data-title) " "; color: var(--muted); } .matrix .muted { display: inline; }
}
`;

export const HISTORY_STYLE = `
h3 { font-size: 14px; font-weight: 600; margin: 16px 0 4px; } h3 .muted { font-weight: 400; } a { color: var(--focus); }
.findings .slower .by, .findings .faster .by, .changes .slower strong, .changes .faster strong { color: var(--tone); }
.findings li.more { display: block; padding-left: calc(5.5em + 8px); color: var(--muted); }
.folded { margin-top: 16px; } .folded > summary { padding: 6px 0; } .controls #status { margin: 0; }
.series { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(440px, 100%), 1fr)); gap: 24px 32px; }
.series figure { padding: 12px; border: 1px solid var(--line); border-radius: 6px; scroll-margin: 12px; } .series figure:target { outline: 2px solid var(--focus); }
.series figcaption { margin: 0 0 4px; display: flex; gap: 12px; justify-content: space-between; align-items: baseline; }
.series figcaption .name { min-width: 0; } .series figcaption .muted { font-weight: 400; }
.latest { font-variant-numeric: tabular-nums; white-space: nowrap; }
.series .note { margin: 0 0 8px; }
.series .chart { display: block; width: calc(100% - 56px); margin: 12px 0 0 56px; overflow: visible; }
.ends code, h3 code { font-size: inherit; padding: 0; border: 0; background: none; }
.dots { fill: none; stroke: var(--muted); stroke-width: 4; stroke-linecap: round; vector-effect: non-scaling-stroke; }
.change-line { stroke: var(--tone); stroke-width: 1.5; stroke-dasharray: 4 3; } .change-mark { color: var(--tone); }
.ends { display: flex; justify-content: space-between; gap: 0 12px; flex-wrap: wrap; color: var(--muted); font-size: 12px; padding-left: 56px; }
.changes { margin: 8px 0 0; } .changes .mark { color: var(--tone); } .changes li { margin: 2px 0; } .changes code { padding: 1px 5px; }
@media print { .series { display: block; } .series figure { margin-bottom: 12px; } }
`;
