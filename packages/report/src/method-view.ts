import { type Comparison, type ComparisonList, type Judgement, verdictWord } from '@bench-cli/stats';
import {
  decisiveReason,
  ERROR_RATE,
  type FixedJudgement,
  type SequentialJudgement,
  type StopReason,
  withheldReason,
} from '@bench-cli/stats/internal';
import { changeRange, changeText, fixedPoint, manyTimes, percent, signedPercent } from './figure-text.ts';
import { type Column, columnsOf } from './table/table.ts';

type FixedList = Extract<ComparisonList, { kind: 'fixed' }>;
type SequentialList = Extract<ComparisonList, { kind: 'sequential' }>;

/** How a list is shown, as far as that depends on its method. The only place of this package that tells methods apart. */
export interface MethodView {
  /** The columns of `renderCompareTable`, what is between them, and the text below. */
  readonly columns: readonly Column<Comparison>[];
  readonly gap: string;
  readonly footer: string;
  readonly markdownColumns: readonly Column<Comparison>[];
  /** How to read the page, as HTML. */
  readonly reading: string;
  /** The figures of the whole list in the JSON. */
  readonly totals: object;
  /** The figures of a judgement in the JSON. */
  figuresOf(judgement: Judgement): object;
  /** The figures of a row of the page that not all methods have. */
  rowFigures(judgement: Judgement): { readonly rankP?: number | null; readonly effect?: number | null };
}

export function viewOf(list: ComparisonList): MethodView {
  return list.kind === 'fixed' ? fixedView(list) : sequentialView(list);
}

const tested = columnsOf<Comparison<FixedJudgement>>();
const adaptive = columnsOf<Comparison<SequentialJudgement>>();

function testedFigure(title: string, cell: (judgement: FixedJudgement) => string) {
  return tested.figure(title, ({ judgement }) => cell(judgement));
}

function improvementColumn(title: string, text: (improvement: number) => string) {
  return testedFigure(title, ({ improvement }) => (improvement === null ? 'NA' : text(improvement)));
}

function accuracyColumn(title: string, risk: 'p05' | 'p01' | 'p001') {
  return testedFigure(title, ({ accuracy }) => (accuracy === null ? 'NA' : `±${percent(accuracy[risk])}%`));
}

function fixedView({ comparisons: { length } }: FixedList): MethodView {
  return {
    // The columns of Node core's compare.R, with `NA` instead of an improvement of `NaN %` or `Inf %`.
    columns: [
      testedFigure('confidence', ({ p, stars }) => (p === null ? 'NA' : stars)),
      improvementColumn('improvement', (improvement) => `${percent(improvement)} %`),
      accuracyColumn('accuracy (*)', 'p05'),
      accuracyColumn('(**)', 'p01'),
      accuracyColumn('(***)', 'p001'),
    ],
    gap: ' ',
    footer: falsePositiveParagraph(length),
    markdownColumns: [
      improvementColumn('Improvement', (it) => manyTimes(it + 1) ?? `${signedPercent(it)} %`),
      tested.figure('Interval', ({ judgement }) => changeRange(judgement.ratio)),
      tested.figure('Confidence', (comparison) => {
        const { p, stars } = comparison.judgement;
        const text = p === null ? 'NA' : stars.replaceAll('*', '\\*');
        const reason = decisiveReason(comparison);
        return reason === undefined ? text : `${text} (${reason})`.trimStart();
      }),
    ],
    reading: FIXED_READING,
    totals: { falsePositives: { p05: length * 0.05, p01: length * 0.01, p001: length * 0.001 } },
    figuresOf: ({ samples: _, relativeMeans: _means, ...figures }: FixedJudgement) => figures,
    rowFigures: ({ rankTest, effectSize }: FixedJudgement) => ({
      rankP: rankTest?.p ?? null,
      effect: effectSize,
    }),
  };
}

function falsePositiveParagraph(comparisons: number): string {
  return `
Be aware that when doing many comparisons the risk of a false-positive
result increases. In this case, there are ${comparisons} comparisons, you can thus
expect the following amount of false-positive results:
  ${fixedPoint(comparisons * 0.05, 2)} false positives, when considering a   5% risk acceptance (*, **, ***),
  ${fixedPoint(comparisons * 0.01, 2)} false positives, when considering a   1% risk acceptance (**, ***),
  ${fixedPoint(comparisons * 0.001, 2)} false positives, when considering a 0.1% risk acceptance (***)
`;
}

const FIXED_READING = `
<p><strong>Faster and slower</strong>: the test finds a difference at the 5&nbsp;% level, also after the correction for the
number of comparisons. <strong>No difference</strong>: the 95&nbsp;% interval of the change lies within the margin (default:
±2&nbsp;%). <strong>Undecided</strong>: otherwise; more runs would decide. A change is that of the mean rate, in per cent of the
mean of the baseline; those of differences are too large on average. The interval of a difference is widened for the number of
comparisons: of all of these, at most 5&nbsp;% are expected to miss the truth. Sorted by change, its end next to 0 counts, and rows
without a difference count as 0. <strong>p</strong> is corrected by Benjamini and Hochberg's method: of the comparisons below 0.05, at most
5&nbsp;% are expected to be false alarms.</p>`;

/** Why a case has no more runs. A case that was not stopped failed, was interrupted, or ran out of budget. */
const stopTexts: Readonly<Record<StopReason, string>> = {
  difference: 'they differ',
  equivalence: 'within the margin',
  futility: 'more runs would hardly tell',
  limit: 'all runs are used up',
  'zero rate': 'a rate of 0',
};

/** The improvement is the ratio of geometric means, minus 1. Its interval is valid at whichever run the case stopped. */
const sequentialColumns: readonly Column<Comparison>[] = [
  adaptive.figure('improvement', ({ judgement }) => changeText(judgement.ratio)),
  adaptive.figure('interval', ({ judgement }) => changeRange(judgement.ratio)),
  adaptive.figure('runs', ({ judgement }) => String(judgement.runs)),
  adaptive.words('stopped because', (comparison) => {
    const { stopped, verdict } = comparison.judgement;
    if (stopped === null) return 'not finished';
    return (verdict === 'undecided' ? undefined : withheldReason(comparison)) ?? stopTexts[stopped];
  }),
];

function sequentialView({ margin }: SequentialList): MethodView {
  return {
    columns: [adaptive.words('verdict', verdictWord), ...sequentialColumns],
    gap: '  ',
    footer: '',
    markdownColumns: sequentialColumns,
    reading: SEQUENTIAL_READING,
    totals: { errorRate: ERROR_RATE, margin },
    figuresOf: ({ samples: _, ...figures }: SequentialJudgement) => figures,
    rowFigures: () => ({}),
  };
}

const SEQUENTIAL_READING = `
<p>Each configuration ran until its verdict was clear. <strong>Faster and slower</strong>: of these configurations, at most
5\u00a0% are expected to be neither. <strong>No difference</strong>: the interval of the change lies within the margin. A
configuration that differs by the margin or more is called so with a probability of at most 5\u00a0%.
<strong>Undecided</strong>: the runs were used up, or more runs would hardly have told. Rates are geometric means of all
runs, and a change is that of the pairs of runs. Intervals and <strong>p</strong> are valid at whichever run a configuration stopped. The interval of a difference is widened for
the number of comparisons: of all of these, at most 5\u00a0% are expected to miss the truth. <strong>p</strong> is
corrected by Benjamini and Hochberg's method.</p>`;
