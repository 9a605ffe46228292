import type { TopLevelSpec } from 'vega-lite';

/** A picture that `renderSvg` draws: a declarative Vega-Lite specification. */
export class Picture {
  /** @internal */
  readonly specification: TopLevelSpec;

  /** @internal */
  constructor(specification: TopLevelSpec) {
    this.specification = specification;
  }
}
