import { styleText } from 'node:util';

/** The two streams of the command. What is for the user's eye goes to stderr, what is the result to stdout. */
export interface Terminal {
  /** Writes to stdout. */
  result(text: string): void;
  /** Writes a line to stderr. */
  notice(line: string): void;
  /** Shows, on a terminal, a line that the next one replaces; undefined takes it away. */
  status(line: string | undefined): void;
  /** Colours text for a stream, if that is a terminal, with respect to NO_COLOR and FORCE_COLOR. */
  paint(format: Parameters<typeof styleText>[0], text: string, stream: 'stdout' | 'stderr'): string;
  readonly resultIsTerminal: boolean;
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdout, stderr } = process;
  let shown = false;
  const erase = () => {
    if (shown) stderr.write('\r\x1b[K');
    shown = false;
  };
  return {
    result(text) {
      // Both streams may be the same terminal.
      erase();
      stdout.write(text);
    },
    notice(line) {
      erase();
      stderr.write(`${line}\n`);
    },
    status(line) {
      if (!stderr.isTTY) return;
      erase();
      if (line === undefined) return;
      stderr.write(line.slice(0, Math.max(0, (stderr.columns ?? 80) - 1)));
      shown = true;
    },
    paint: (format, text, stream) =>
      styleText(format, text, { stream: stream === 'stdout' ? stdout : stderr }),
    resultIsTerminal: stdout.isTTY === true,
  };
}
