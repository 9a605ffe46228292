import { runtimeText } from '@bench-cli/results';
import { readSubject, resolveSubject } from '@bench-cli/runner';
import type { Terminal } from '../terminal.ts';
import { interruptionSignal } from './interruption.ts';

/** Fetches what subjects consist of, and says which versions they have. */
export async function fetchSubjects(texts: readonly string[], terminal: Terminal): Promise<void> {
  const signal = interruptionSignal();
  for (const text of texts) {
    const { runtime, packages = [] } = await resolveSubject(text, readSubject(text).request, { signal });
    const versions = [runtimeText(runtime), ...packages.map((each) => `${each.name} ${each.version}`)];
    terminal.result(`${text}: ${versions.join(', ')}\n`);
  }
}
