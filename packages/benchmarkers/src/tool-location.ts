import type { Availability } from './benchmarker.ts';
import { findProgram } from './program.ts';
import { toolEnvironment } from './tool-environment.ts';

/** A program to look for and to ask for its version, or a way of the adapter's own to find both. */
export type ToolLocation = InstalledProgram | OwnTool;

export interface InstalledProgram {
  /** Its name on the PATH, or its path. */
  readonly program: string;
  /** What makes it print its version. Default `--version`. */
  readonly versionArgs?: readonly string[];
  /** Finds the version as its first group. Default: the first three numbers with dots between. */
  readonly versionPattern?: RegExp;
  /** Default: any version will do. */
  readonly minimumVersion?: string;
  /** How to install it, for the message when it is missing: `Debian: apt-get install wrk`. */
  readonly install?: string;
}

export interface OwnTool {
  locate(): Promise<Availability>;
}

const versionLimitMs = 10_000;

export async function locateTool(benchmarker: string, tool: ToolLocation): Promise<Availability> {
  try {
    return await ('locate' in tool ? tool.locate() : locateProgram(benchmarker, tool));
  } catch (error) {
    return unavailable(
      'broken',
      `${benchmarker} could not be looked for: ${error instanceof Error ? error.message : error}`,
    );
  }
}

async function locateProgram(benchmarker: string, tool: InstalledProgram): Promise<Availability> {
  const { program, minimumVersion, install } = tool;
  const remedy = install === undefined ? '' : `; ${install}`;
  const lookup = findProgram(program);
  if (lookup.found === 'nothing') {
    return unavailable('missing', `${benchmarker} is not installed: no ${program} on the PATH${remedy}`);
  }
  const { path } = lookup;
  if (lookup.found === 'not executable') {
    return unavailable('not executable', `${benchmarker} cannot be executed: chmod +x ${path}`);
  }
  const { text, problem } = await versionText(path, tool.versionArgs ?? ['--version']);
  const version = (tool.versionPattern ?? /(\d+\.\d+\.\d+)/).exec(text)?.[1];
  if (version === undefined) {
    const said = text.trim().split('\n').slice(0, 3).join(' ') || 'nothing';
    return unavailable(
      'broken',
      `${benchmarker}: ${path} does not tell its version${problem}; it said: ${said}`,
    );
  }
  if (minimumVersion !== undefined && (await isOlder(version, minimumVersion))) {
    return unavailable(
      'too old',
      `${benchmarker} is too old: ${path} is ${version}, and it takes ${minimumVersion} or later${remedy}`,
    );
  }
  return { available: true, command: [path], version };
}

async function versionText(
  path: string,
  args: readonly string[],
): Promise<{ text: string; problem: string }> {
  const { execa } = await import('execa');
  // Some tools exit with 1 after telling their version, or tell it on stderr.
  const { stdout, stderr, originalMessage, timedOut } = await execa(path, args, {
    env: toolEnvironment(process.env, 'version'),
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    timeout: versionLimitMs,
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 16,
  });
  const problem = timedOut
    ? ` within ${versionLimitMs / 1000} s`
    : originalMessage
      ? ` (${originalMessage})`
      : '';
  return { text: `${stdout ?? ''}\n${stderr ?? ''}`, problem };
}

async function isOlder(version: string, minimum: string): Promise<boolean> {
  const { coerce, lt } = (await import('semver')).default;
  const parsed = coerce(version);
  return parsed === null || lt(parsed, minimum);
}

function unavailable(
  reason: Extract<Availability, { available: false }>['reason'],
  message: string,
): Availability {
  return { available: false, reason, message };
}
