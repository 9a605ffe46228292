import type { ComparisonList } from '@bench-cli/stats';

export const readings: Readonly<Record<ComparisonList['kind'], string>> = {
  fixed: `
<p><strong>Faster and slower</strong>: the test finds a difference at the 5&nbsp;% level, also after the correction for the
number of comparisons. <strong>No difference</strong>: the 95&nbsp;% interval of the change lies within the margin (default:
±2&nbsp;%). <strong>Undecided</strong>: otherwise; more runs would decide. A change is that of the mean rate, in per cent of the
mean of the baseline; those of differences are too large on average. The interval of a difference is widened for the number of
comparisons: of all of these, at most 5&nbsp;% are expected to miss the truth. Sorted by change, its end next to 0 counts, and rows
without a difference count as 0. The p of a row's details is corrected by Benjamini and Hochberg's
method: of the comparisons below 0.05, at most 5&nbsp;% are expected to be false alarms.</p>`,
  sequential: `
<p>Each case ran until its verdict was clear. <strong>Faster and slower</strong>: of these cases, at most
5\u00a0% are expected to be neither. <strong>No difference</strong>: the interval of the change lies within the margin. A
case that differs by the margin or more is called so with a probability of at most 5\u00a0%.
<strong>Undecided</strong>: the runs were used up, or more runs would hardly have told. Rates are geometric means of all
runs, and a change is that of the pairs of runs. Intervals are valid at whichever run a case stopped. The interval of a difference is widened for
the number of comparisons: of all of these, at most 5\u00a0% are expected to miss the truth. The p of a row's details is valid there, too, and
corrected by Benjamini and Hochberg's method.</p>`,
};
