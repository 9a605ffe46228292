import { styleText } from 'node:util';

/** The output of the command: results go to stdout, everything else to stderr. */
export interface Terminal {
  /** Writes to stdout. */
  result(text: string): void;
  /** Writes a line to stderr. */
  notice(line: string): void;
  /** Shows a line on a terminal until the next output; undefined removes it. */
  status(line: string | undefined): void;
  /** Colours text for a stream that is a terminal; NO_COLOR and FORCE_COLOR override that. */
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
      // Both streams can be the same terminal.
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
