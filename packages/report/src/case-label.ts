import { argumentsOf, type Configuration, type NamedCase } from '@bench-cli/results';

/** How the cases of one benchmark are told apart. */
export interface CaseLabels {
  /** The parameters with the same value in all configurations; empty for a single configuration. */
  readonly shared: Configuration;
  /** The other parameters of a case, or all if there are none. */
  readonly labelOf: (of: Pick<NamedCase, 'configuration' | 'text'>) => string;
}

export function caseLabels(cases: readonly Pick<NamedCase, 'key' | 'configuration'>[]): CaseLabels {
  const shared = sharedParameters([...new Map(cases.map((it) => [it.key, it.configuration])).values()]);
  const labelOf: CaseLabels['labelOf'] = ({ configuration, text }) => {
    const own = Object.entries(configuration).filter(([name]) => !Object.hasOwn(shared, name));
    return own.length > 0 ? argumentsOf(Object.fromEntries(own)).join(' ') : text;
  };
  return { shared, labelOf };
}

function sharedParameters([first, ...others]: readonly Configuration[]): Configuration {
  if (first === undefined || others.length === 0) return {};
  return Object.fromEntries(
    Object.entries(first).filter(([name, value]) => others.every((it) => it[name] === value)),
  );
}
