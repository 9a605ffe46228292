import { type Guarantee, guaranteeNames } from '@bench-cli/results';
import { askProgram, orElse, platform } from '@bench-cli/system';

/** Programs that do not wait for processes whose parents have ended. */
const noInit = /^(?:node|npm|npx|pnpm|yarn|bun|deno)\b/;

/** The guarantees that this environment does not allow, where its system has them. */
export function lackingGuarantees(): readonly Guarantee[] {
  const { jobKeeper, bind, processes } = platform;
  if (jobKeeper !== undefined) return [];
  const { statusOf, programOf } = processes();
  const isGiven: Readonly<Record<Guarantee, boolean>> = {
    processes: statusOf(process.pid) !== undefined,
    // The group of this process.
    groups: orElse(() => process.kill(0, 0), false),
    locks: bind === undefined || works(['flock', '--version']),
    affinity: bind === undefined || canBind(),
    init: !noInit.test(programOf(1)),
  };
  return guaranteeNames.filter((name) => !isGiven[name]);
}

export function canBind(): boolean {
  const binding = platform.bind?.('0-1023');
  return binding !== undefined && works([...binding, 'true']);
}

/** Programs that were tried, since they take a millisecond. */
const tried = new Map<string, boolean>();

function works([program = '', ...args]: readonly string[]): boolean {
  const key = `${program} on ${process.env['PATH']}`;
  const found =
    tried.get(key) ?? askProgram(program, args, { encoding: 'utf8', stdio: 'ignore' }).status === 0;
  tried.set(key, found);
  return found;
}
