import { findProgram } from '@bench-cli/system';
import type { Availability } from './benchmarker.ts';
import { toolOptions } from './tool-process.ts';

/** A program to find and to ask for its version, or a function that finds both. */
export type ToolLocation = InstalledProgram | { locate(): Promise<Availability> };

export interface InstalledProgram {
  /** Its name on the PATH, or its path. */
  readonly program: string;
  /** The arguments for which it prints its version. Default `--version`. */
  readonly versionArgs?: readonly string[];
  /** Matches the version as its first group. Default: three numbers separated by dots. */
  readonly versionPattern?: RegExp;
  /** Default: any version. */
  readonly minimumVersion?: string;
  /** How to install it, for the message if it is missing: `Debian: apt-get install wrk`. */
  readonly install?: string;
}

const versionLimitMs = 10_000;

export async function locateTool(benchmarker: string, tool: ToolLocation): Promise<Availability> {
  try {
    return await ('locate' in tool ? tool.locate() : locateProgram(benchmarker, tool));
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    return unavailable('broken', `the search for ${benchmarker} failed: ${why}`);
  }
}

async function locateProgram(benchmarker: string, tool: InstalledProgram): Promise<Availability> {
  const { program, minimumVersion, install } = tool;
  const remedy = install === undefined ? '' : `; ${install}`;
  const found = await findProgram(program);
  if (found === undefined) {
    return unavailable('missing', `${benchmarker} is not installed: ${program} is not on the PATH${remedy}`);
  }
  const { path } = found;
  if (!found.executable) {
    return unavailable('not executable', `${benchmarker} is not executable: chmod +x ${path}`);
  }
  const { text, problem } = await versionText(path, tool.versionArgs ?? ['--version']);
  const version = (tool.versionPattern ?? /(\d+\.\d+\.\d+)/).exec(text)?.[1];
  if (version === undefined) {
    const printed = text.trim().split('\n').slice(0, 3).join(' ') || 'nothing';
    const why = `${path} does not print its version${problem}; it printed: ${printed}`;
    return unavailable('broken', `${benchmarker}: ${why}`);
  }
  const { coerce, lt } = (await import('semver')).default;
  const parsed = coerce(version);
  if (minimumVersion !== undefined && (parsed === null || lt(parsed, minimumVersion))) {
    const why = `${path} has version ${version}, required is ${minimumVersion} or later${remedy}`;
    return unavailable('too old', `${benchmarker} is too old: ${why}`);
  }
  return { available: true, command: [path], version };
}

async function versionText(path: string, args: readonly string[]) {
  const { execa } = await import('execa');
  // Some tools exit with code 1 after printing their version, or print it to stderr.
  const { stdout, stderr, originalMessage, timedOut } = await execa(path, args, {
    ...toolOptions('version'),
    timeout: versionLimitMs,
    maxBuffer: 1 << 16,
  });
  const problem = timedOut
    ? ` within ${versionLimitMs / 1000} s`
    : originalMessage
      ? ` (${originalMessage})`
      : '';
  return { text: `${stdout ?? ''}\n${stderr ?? ''}`, problem };
}

type Unavailable = Extract<Availability, { available: false }>;

function unavailable(reason: Unavailable['reason'], message: string): Unavailable {
  return { available: false, reason, message };
}
