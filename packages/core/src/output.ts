import type { AnyConfiguration } from './parameters.ts';
import type { ReportMessage } from './protocol.ts';

/** The printed form of a result: `group/file.ts n=1 len=2: 12345.6`. */
export function formatResult({ name, conf, rate }: Pick<ReportMessage, 'name' | 'conf' | 'rate'>): string {
  return `${formatHeading(name, conf)}: ${rate}`;
}

/** The name and the configuration: `group/file.ts n=1 len=2`. */
export function formatHeading(name: string, configuration: AnyConfiguration): string {
  return [name, ...argumentTexts(configuration)].join(' ');
}

/** `name=value` of each parameter: a process gets its configuration in this form. */
export function argumentTexts(configuration: AnyConfiguration): string[] {
  return Object.entries(configuration).map(([name, value]) => `${name}=${value}`);
}

/** Seconds as a decimal string, from nanoseconds. */
export function secondsOf(elapsedNs: bigint): string {
  const digits = elapsedNs.toString().padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`;
}
