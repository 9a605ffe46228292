import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LoadError } from './load-error.ts';
import type { LoadRequest } from './load-options.ts';
import { runTool } from './tool-process.ts';

/** A program of this package that makes one request and checks the answer, in a process of its own. */
export const onceProgram = [
  process.execPath,
  fileURLToPath(new URL(`./request-once-process${extname(import.meta.url)}`, import.meta.url)),
] as const;

export function onceArguments(request: LoadRequest): readonly string[] {
  const { protocol, url, method, headers, body, timeoutSeconds } = request;
  return [JSON.stringify({ protocol, url, method, headers, body, timeoutSeconds })];
}

/**
 * @returns why there was no complete answer; undefined if there was, whatever its status
 * @throws the reason of the signal when that aborts
 */
export async function requestOnce(
  request: LoadRequest,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    await runTool({
      benchmarker: 'a single request',
      command: [...onceProgram, ...onceArguments(request)],
      cpuSet: request.cpuSet,
      limitSeconds: 60,
      signal,
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    return error.output;
  }
}
