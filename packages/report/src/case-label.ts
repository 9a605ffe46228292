import { argumentsOf, type NamedCase } from '@bench-cli/results';

/**
 * How the cases of one benchmark are told apart: `shared` has the parameters with the same value in all configurations, and is empty for a
 * single one; `labelOf` gives the other parameters of a case, or all if there are none. `valuesOf` gives only their values, in the order
 * of `others`.
 */
export function caseLabels(cases: readonly Pick<NamedCase, 'key' | 'configuration'>[]) {
  const [first = {}, ...later] = new Map(cases.map((it) => [it.key, it.configuration])).values();
  const same = ([name, value]: [string, unknown]) => later.every((it) => it[name] === value);
  const shared = later.length === 0 ? {} : Object.fromEntries(Object.entries(first).filter(same));
  const others = Object.keys(first).filter((name) => !Object.hasOwn(shared, name));
  const labelOf = ({ configuration, text }: Pick<NamedCase, 'configuration' | 'text'>) => {
    const own = Object.entries(configuration).filter(([name]) => !Object.hasOwn(shared, name));
    return own.length > 0 ? argumentsOf(Object.fromEntries(own)).join(' ') : text;
  };
  const valuesOf = ({ configuration }: Pick<NamedCase, 'configuration'>) =>
    others.map((name) => `${configuration[name] ?? ''}`).join(' ');
  return { shared, others, labelOf, valuesOf };
}
