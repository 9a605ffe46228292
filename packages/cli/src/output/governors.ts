import { fastGovernor, readGovernors, setGovernor, usualGovernor } from '@bench-cli/runner';
import type { Terminal } from '../terminal.ts';

/** Sets the governor, if that is asked for, and shows that of every CPU. */
export function showGovernors(action: 'get' | 'fast' | 'reset', terminal: Terminal): void {
  if (action !== 'get') setGovernor(action === 'fast' ? fastGovernor : usualGovernor());
  for (const { cpu, governor } of readGovernors()) terminal.result(`cpu${cpu}: ${governor}\n`);
  if (action === 'fast')
    terminal.notice('the CPUs now run at their highest frequency; bench-cli cpu reset sets them back');
}
