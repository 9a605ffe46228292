import { basename } from 'node:path';
import type { ReceivedMessage } from '../process/messages.ts';
import type { Script } from './script.ts';

/** Says what kept the process of a script open after its task; undefined if nothing did. */
export function keptOpenText(
  messages: readonly ReceivedMessage[],
  { opened = [] }: Pick<Script, 'opened'>,
): string | undefined {
  const kept = messages.find((message) => message.type === 'kept open');
  if (kept === undefined) return undefined;
  // Processes do not list workers.
  const texts = (kept.kinds.length > 0 ? kept.kinds : ['Worker']).map((kind) => {
    // The hooks of planning name TCPSERVERWRAP what a process names TCPServerWrap, and TCPWRAP its
    // TCPSocketWrap.
    const hook = kind.replace('Socket', '').toLowerCase();
    const places = opened.flatMap((each) =>
      each.kind.toLowerCase() === hook && each.place ? [basename(each.place).replace(/:\d+$/, '')] : [],
    );
    const name = kind
      .replace(/Wrap$/, '')
      .replace(/(?<=[A-Z])[A-Z][a-z]+$/, (word) => ` ${word.toLowerCase()}`);
    return places.length > 0 ? `${name} at ${[...new Set(places)].join(' and ')}` : name;
  });
  return `kept open: ${texts.join(', ')}. Its processes are ended 0.5 s after their results: close what the file opens, as with clearInterval(), server.close() or worker.terminate(), or call unref()`;
}
