/**
 * Windows has no process groups, and `taskkill /T` misses processes whose parent has ended. A job object has
 * all descendants of a process, and ends them when its last handle is closed. Node.js cannot make a job
 * object, so a PowerShell holds one for each run. If bench-cli dies, its pipe closes, the PowerShell ends,
 * and Windows closes the handles.
 *
 * libuv puts each process that is not detached into a job, which descendants leave without asking. Jobs nest
 * since Windows 8, and no process leaves the inner job, which allows no breakaway. Processes that start
 * before their parent is in the job escape; a runtime takes longer to start.
 */

/**
 * `JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE`, and `JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION`, so that no dialog
 * keeps a crashed process. Without breakaway flags, no process leaves the job.
 */
export const jobLimits: number = 0x2000 | 0x0400;

/** The rights to put a process into a job: `PROCESS_SET_QUOTA` and `PROCESS_TERMINATE`. */
const access = 0x0101;

/** Has the name and layout of `JOBOBJECT_EXTENDED_LIMIT_INFORMATION`, of class 9. */
export const jobClass = `
using System;
using System.Runtime.InteropServices;

public static class Job {
  [StructLayout(LayoutKind.Sequential)]
  public struct Limits {
    public long ProcessTime, JobTime; public uint Flags; public UIntPtr LeastMemory, MostMemory; public uint Processes;
    public UIntPtr Cpus; public uint Priority, Scheduling; public ulong Reads, Writes, Others, ReadBytes, WrittenBytes, OtherBytes;
    public UIntPtr ProcessMemory, JobMemory, PeakProcessMemory, PeakJobMemory;
  }
  [DllImport("kernel32.dll")] static extern IntPtr CreateJobObjectW(IntPtr security, IntPtr name);
  [DllImport("kernel32.dll")] static extern bool SetInformationJobObject(IntPtr job, int kind, ref Limits limits, int size);
  [DllImport("kernel32.dll")] static extern bool AssignProcessToJobObject(IntPtr job, IntPtr process);
  [DllImport("kernel32.dll")] static extern IntPtr OpenProcess(int access, bool inherit, int id);
  [DllImport("kernel32.dll")] public static extern bool CloseHandle(IntPtr handle);

  public static IntPtr Hold(int id) {
    var limits = new Limits { Flags = ${jobLimits} };
    var job = CreateJobObjectW(IntPtr.Zero, IntPtr.Zero);
    SetInformationJobObject(job, 9, ref limits, Marshal.SizeOf(limits));
    var process = OpenProcess(${access}, false, id);
    AssignProcessToJobObject(job, process);
    CloseHandle(process);
    return job;
  }
}`;

/**
 * The command of the process that holds the jobs. It answers `ready`, and reads lines: `+12` puts process 12
 * into a job, `-12` ends its job, and `ended` ends all jobs.
 * @param directory is removed when the pipe closes without `ended`
 */
export function jobKeeper(directory: string): readonly string[] {
  return powerShell(`
Add-Type -TypeDefinition '${jobClass}'
$jobs = @{}
'ready'
while (($line = [Console]::In.ReadLine()) -and $line -ne 'ended') {
  $id = [int]$line.Substring(1)
  if ($line[0] -eq '+') { $jobs[$id] = [Job]::Hold($id) }
  elseif ($jobs.ContainsKey($id)) { [void][Job]::CloseHandle($jobs[$id]); $jobs.Remove($id) }
}
foreach ($job in $jobs.Values) { [void][Job]::CloseHandle($job) }
if ($line -ne 'ended') { Remove-Item -Recurse -Force -LiteralPath '${directory.replaceAll("'", "''")}' }
`);
}

/** The command that executes a script of the PowerShell of each Windows. Base64 needs no quotes. */
export function powerShell(script: string): readonly string[] {
  const encoded = Buffer.from(script, 'utf16le').toString('base64');
  return ['powershell.exe', '-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand', encoded];
}
