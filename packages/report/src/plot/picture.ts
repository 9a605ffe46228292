import type { TopLevelSpec } from 'vega-lite';

/** A picture to be drawn: one declarative Vega-Lite specification. */
export class Picture {
  /** @internal */
  readonly specification: TopLevelSpec;

  /** @internal */
  constructor(specification: TopLevelSpec) {
    this.specification = specification;
  }
}
