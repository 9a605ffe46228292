/** The variable that marks a load tool and all that it starts. */
export const markVariable = 'BENCH_CLI_LOAD_TOOL';

/** The mark that the runner of `@bench-cli/core` puts on a run, by which it finds what was left over. */
const runMark = 'BENCH_CLI_RUN';

/**
 * The environment of a load tool. It must not depend on what the benchmark is run with: a tool that is itself a Node.js
 * program would take over NODE_OPTIONS, and autocannon reads PORT.
 */
export function toolEnvironment(own: NodeJS.ProcessEnv, mark: string): NodeJS.ProcessEnv {
  const kept = Object.entries(own).filter(
    ([name]) => name === runMark || !/^(NODE_|BENCH_CLI_|PORT$|LC_|LANG$)/.test(name),
  );
  return { ...Object.fromEntries(kept), LC_ALL: 'C', [markVariable]: mark };
}
