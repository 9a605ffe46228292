/** The data of the script of a history's page, which is JSON in the page. */
export interface HistoryPayload {
  readonly timelines: readonly Timeline[];
  readonly series: readonly PayloadSeries[];
}

/** The sessions of one machine that have values of one measure, in the order of the history. */
export interface Timeline {
  readonly machine: string;
  readonly measure: string;
  readonly sessions: readonly { readonly commit: string; readonly date: string }[];
}

/** The values of a case in the sessions of a timeline. */
export interface PayloadSeries {
  /** An index of `timelines`. */
  readonly timeline: number;
  readonly benchmark: string;
  /** The parameters. */
  readonly label: string;
  /** One for each session; null where the session does not have the case. */
  readonly values: readonly (number | null)[];
  /** The number of runs of each value, or the one that all have. */
  readonly runs: number | readonly (number | null)[];
  readonly changes: readonly PayloadChange[];
}

export interface PayloadChange {
  /** The index of the first session with the new value. */
  readonly session: number;
  /** Mean values up to the changes before and after. */
  readonly before: number;
  readonly after: number;
}
