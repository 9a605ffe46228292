/** The style of the page. The colours of the subjects are those of Okabe and Ito, as in the plots. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --raised: #f6f8fa; --ink: #1f2328; --muted: #59636e; --line: #d1d9e0; --focus: #0969da;
  --old: #b45f06; --old-fill: #e69f00; --new: #0072b2; --new-fill: #0072b2;
  --slower: #b42318; --slower-back: #fdeceb; --faster: #116329; --faster-back: #e3f6e8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0d1117; --raised: #161b22; --ink: #e6edf3; --muted: #9198a1; --line: #3d444d; --focus: #58a6ff;
    --old: #f0b03a; --old-fill: #e69f00; --new: #79c0ff; --new-fill: #56b4e9;
    --slower: #ff8f85; --slower-back: #3a1a1a; --faster: #6fdd8b; --faster-back: #12301c;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1280px; margin: 0 auto; padding: 24px 24px 64px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 4px; }
h2 { font-size: 19px; margin: 36px 0 10px; }
p { margin: 0 0 8px; }
.muted, .label { color: var(--muted); }
.lead { font-size: 18px; max-width: 75ch; }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 8px; top: 8px; background: var(--paper); padding: 8px; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
button, input { font: inherit; color: inherit; }
button { cursor: pointer; }
button:disabled { cursor: default; opacity: .5; }
.verdicts { display: flex; flex-wrap: wrap; gap: 12px; margin: 20px 0 12px; padding: 0; list-style: none; }
.verdicts button { min-width: 150px; padding: 10px 16px; text-align: left; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); }
.verdicts button[aria-pressed=true] { border-color: var(--focus); box-shadow: inset 0 0 0 1px var(--focus); }
.verdicts strong { display: block; font-size: 26px; line-height: 1.2; font-variant-numeric: tabular-nums; }
.verdicts .slower strong { color: var(--slower); } .verdicts .faster strong { color: var(--faster); }
.subjects { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 12px 0; }
.subjects dt { font-weight: 600; } .subjects dt.old { color: var(--old); } .subjects dt.new { color: var(--new); }
.subjects dd { margin: 0; overflow-wrap: anywhere; }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: 4px 20px; margin: 0; }
dl.facts dt { color: var(--muted); } dl.facts dd { margin: 0; overflow-wrap: anywhere; }
.extremes { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(480px, 100%), 1fr)); gap: 0 32px; }
.findings { padding: 0; margin: 0; list-style: none; }
.findings li { margin: 2px 0; }
.findings button { border: 0; background: none; padding: 2px 0; text-align: left; color: var(--focus); text-decoration: underline; overflow-wrap: anywhere; }
.findings .by { font-variant-numeric: tabular-nums; color: var(--ink); text-decoration: none; font-weight: 600; }
.controls { display: flex; flex-wrap: wrap; gap: 10px 20px; align-items: center; margin-bottom: 8px; }
.controls label:first-child { display: flex; gap: 8px; align-items: center; flex: 0 1 440px; }
.controls input[type=search] { flex: 1; min-width: 0; padding: 6px 10px; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); }
.pager { display: flex; gap: 10px; align-items: center; margin: 10px 0; }
.pager button, .command button { padding: 4px 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--raised); }
table { border-collapse: collapse; width: 100%; }
#comparisons > thead th { position: sticky; top: 0; background: var(--paper); z-index: 1; box-shadow: inset 0 -2px 0 var(--line); }
#comparisons th, #comparisons td { padding: 6px 10px; text-align: left; vertical-align: middle; border-bottom: 1px solid var(--line); font-weight: 400; }
#comparisons thead button { border: 0; background: none; padding: 2px 0; font-weight: 600; white-space: nowrap; }
th[aria-sort=ascending] button::after { content: " \\25B2" / ""; } th[aria-sort=descending] button::after { content: " \\25BC" / ""; }
#comparisons .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
#comparisons thead .number button { width: 100%; text-align: right; }
#comparisons > tbody > tr > th { width: 44%; }
.toggle { border: 0; background: none; padding: 0; text-align: left; overflow-wrap: anywhere; }
.toggle::before { content: "\\25B8" / ""; display: inline-block; width: 1.1em; color: var(--muted); }
.toggle[aria-expanded=true]::before { content: "\\25BE" / ""; }
.toggle:hover { text-decoration: underline; }
.benchmark { color: var(--muted); }
.flag { margin-left: 8px; padding: 0 6px; border: 1px solid var(--line); border-radius: 10px; font-size: 12px; white-space: nowrap; }
td.verdict { white-space: nowrap; }
tr.slower > td.verdict { color: var(--slower); font-weight: 600; } tr.faster > td.verdict { color: var(--faster); font-weight: 600; }
tr.slower > td.verdict::before { content: "\\2193 " / ""; } tr.faster > td.verdict::before { content: "\\2191 " / ""; }
td.bar { white-space: nowrap; } td.bar svg { width: 120px; height: 16px; vertical-align: middle; margin-right: 8px; }
.interval { color: var(--muted); font-size: 13px; font-variant-numeric: tabular-nums; }
.zero { stroke: var(--line); stroke-width: 1; } .range { stroke: currentColor; stroke-width: 2; } .point { fill: currentColor; }
tr.slower .range, tr.slower .point { color: var(--slower); } tr.faster .range, tr.faster .point { color: var(--faster); }
tr.undecided .range, tr.undecided .point, tr.no-difference .range, tr.no-difference .point { color: var(--muted); }
tr.details > td { background: var(--raised); padding: 16px !important; }
.samples { display: flex; flex-wrap: wrap; gap: 20px; }
figure { margin: 0; flex: 1 1 420px; min-width: 0; max-width: 620px; } figcaption { font-weight: 600; margin-bottom: 4px; }
figure svg { width: 100%; height: auto; font-size: 11.5px; } figure text { fill: var(--muted); }
.grid { stroke: var(--line); stroke-width: 1; } .median { stroke: var(--ink); stroke-width: 2.5; }
.box { fill-opacity: .22; stroke-width: 1.2; } .box.old { fill: var(--old-fill); stroke: var(--old); } .box.new { fill: var(--new-fill); stroke: var(--new); }
.run { fill-opacity: .85; } .run.old { fill: var(--old); } .run.new { fill: var(--new); }
.path { fill: none; stroke-opacity: .4; stroke-width: 1.2; } .path.old, .mean.old { stroke: var(--old); } .path.new, .mean.new { stroke: var(--new); }
.mean { stroke-dasharray: 6 4; stroke-width: 1.4; }
#comparisons .figures th + th { text-align: right; }
table.figures { width: auto; margin: 14px 0 8px; } table.figures caption { text-align: left; color: var(--muted); }
.command { display: flex; gap: 10px; align-items: flex-start; }
code { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 4px 8px; overflow-wrap: anywhere; }
.warnings { list-style: none; padding: 0; margin: 0; } .warnings ul { padding-left: 36px; }
.warnings li { margin: 4px 0; } tr.details .warnings { margin: 8px 0 12px; } details > summary { cursor: pointer; }
@media (max-width: 900px) { .scroll { overflow-x: auto; } main { padding: 16px 12px 48px; } #comparisons > tbody > tr > th { min-width: 200px; } .samples { max-width: calc(100vw - 72px); } }
@media print { .controls, .pager, .skip { display: none; } #comparisons > thead th { position: static; } }
`;
