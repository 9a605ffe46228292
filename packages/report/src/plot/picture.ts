import type { TopLevelSpec } from 'vega-lite';
import { CONFIG } from './theme.ts';

/** A picture that `renderSvg` draws: a declarative Vega-Lite specification. */
export class Picture {
  /** @internal */
  readonly specification: TopLevelSpec;

  /** @internal */
  constructor(specification: TopLevelSpec) {
    this.specification = {
      $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
      config: CONFIG,
      padding: 16,
      ...specification,
    };
  }
}
