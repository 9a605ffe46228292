import type { AnyConfiguration } from './parameters.ts';
import { argumentsOf } from './protocol.ts';

/** The printed form of a result: `group/file.ts n=1 len=2: 12345.6`. */
export function formatResult(result: {
  readonly name: string;
  readonly conf: AnyConfiguration;
  readonly rate: number;
}): string {
  return `${formatHeading(result.name, result.conf)}: ${result.rate}`;
}

/** The name and the configuration: `group/file.ts n=1 len=2`. */
export function formatHeading(name: string, configuration: AnyConfiguration): string {
  return [name, ...argumentsOf(configuration)].join(' ');
}
