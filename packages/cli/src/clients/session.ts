import { type ClientVariables, clientSession } from '@bench-cli/cluster-server';
import { type CommandSettings, settingsFor } from '@bench-cli/results/settings';
import { showSession } from '../session/session.ts';
import type { Terminal } from '../terminal.ts';
import { clientOutput } from './output.ts';

/**
 * Compares clients in a session, and shows it.
 *
 * @param variables environment variables, and the flags in their place
 * @returns the exit code
 */
export async function showClients(
  names: readonly string[],
  variables: ClientVariables,
  { serve, config, ...options }: CommandSettings<'http clients'>,
  terminal: Terminal,
): Promise<number> {
  const output = clientOutput(options, terminal);
  if (options.resume !== undefined) {
    const { readRecording } = await import('@bench-cli/results/recording');
    const { command } = readRecording(options.resume).session.request;
    return showSession({ command, subjects: {}, words: [], runs: 1, options }, output, terminal);
  }
  const { subjects, file, suite, runs, warnings } = await clientSession({
    clients: names,
    variables,
    ...(serve && { serve }),
    ...(config !== undefined && { config }),
  });
  for (const warning of warnings) terminal.notice(`warning: ${warning}`);
  const command = subjects.length > 1 ? 'compare' : 'run';
  const own = { ...settingsFor(command, options), suite };
  return showSession({ command, subjects, words: [file], runs, options: own }, output, terminal);
}
