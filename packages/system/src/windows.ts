import { jobKeeper, powerShell } from './job-keeper.ts';
import { outputOf, type Platform, processList } from './platform.ts';

const query =
  'Get-CimInstance Win32_Process | Select-Object ProcessId,ParentProcessId,KernelModeTime,UserModeTime,Name | ConvertTo-Csv -NoTypeInformation';

/** No test of bench-cli has run on Windows so far. */
export const windows: Platform = {
  processes: () => readCim(outputOf(powerShell(query))),
  // Misses descendants whose parent has ended. The job object ends them.
  killGroup: (pid) => void outputOf(['taskkill', '/T', '/F', '/PID', String(pid)]),
  jobKeeper,
  shell: (command) => ['cmd', '/d', '/s', '/c', command],
  // The name of a pipe ends with the process.
  socketName: (name) => `\\\\.\\pipe\\${name}`,
};

/** Reads the processes that `query` lists. Times are in units of 100 ns. */
export function readCim(text: string) {
  const rows = text.matchAll(/^"(\d+)","(\d+)","(\d+)","(\d+)","(.*)"\r?$/gm);
  return processList(
    rows.map(([, pid, parent, kernel, user, program = '']) => [
      Number(pid),
      {
        parent: Number(parent),
        group: Number(pid),
        hasEnded: false,
        cpuSeconds: (Number(kernel) + Number(user)) / 1e7,
        program,
        environment: '',
      },
    ]),
  );
}
