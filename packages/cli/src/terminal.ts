import type { Readable } from 'node:stream';
import { stripVTControlCharacters, styleText } from 'node:util';
import { cutAt, shownIn, wrapped } from '@bench-cli/results';
import type { ScriptedExecutor } from '@bench-cli/runner';
import type { RoundInterruption } from './session/interruption.ts';

/** The parts of its process that a command uses. */
export interface CommandIo {
  readonly stdin: Readable;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: NodeJS.ProcessEnv;
  /** The base of relative paths, and where a config file is searched. */
  readonly cwd: string;
  /** Ends the command; its reason is an `Interruption`. */
  readonly signal: AbortSignal;
  /** Ends a comparison with its round, in place of `signal`. */
  readonly rounds: RoundInterruption;
  /** Takes the place of the processes of a session, for tests. */
  readonly scripted?: ScriptedExecutor;
}

const INDENT = '    ';

type OutputStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** The output of the command: results go to stdout, everything else to stderr. */
export type Terminal = ReturnType<typeof createTerminal>;

/**
 * The terminal of a command. Only this file writes to its streams, and it shows control characters of foreign
 * texts as text: they could hide or overwrite other output, or change the terminal.
 */
export function createTerminal(io: CommandIo) {
  const { stdout, stderr, env } = io;
  const inWorkflow = (text: string) =>
    env['GITHUB_ACTIONS'] === undefined ? text : withoutWorkflowCommands(text);
  // The module takes milliseconds to load.
  const depth = () => process.getBuiltinModule('node:tty').WriteStream.prototype.getColorDepth(env);
  const hasColours = ({ isTTY }: OutputStream) =>
    (isTTY === true || env['FORCE_COLOR'] !== undefined) && depth() > 2;
  // Foreign texts cannot contain the token, so they have no colours. Most commands need none.
  let mark: string | undefined;
  const visible = (text: string) =>
    (mark === undefined ? [text] : text.split(mark))
      .map((part, at) => {
        const [colour = ''] = at === 0 ? [] : (/^\[\d+m/.exec(part) ?? []);
        return `${colour && `\x1b${colour}`}${shownIn('lines', part.slice(colour.length))}`;
      })
      .join('');
  let shown = false;
  const erase = () => {
    if (shown) stderr.write('\r\x1b[K');
    shown = false;
  };
  const statusIsTerminal = stderr.isTTY === true && env['TERM'] !== 'dumb';
  const terminal = {
    io,
    /** Writes a text for people to stdout. */
    result(text: string): void {
      // Both streams can be the same terminal.
      erase();
      stdout.write(inWorkflow(visible(text)));
    },
    /** Writes what programs read, such as CSV, to stdout: a file or a pipe gets it as it is. */
    data(text: string): void {
      erase();
      stdout.write(inWorkflow(stdout.isTTY ? visible(text) : text));
    },
    json: (value: unknown): void => terminal.data(`${JSON.stringify(value, undefined, 2)}\n`),
    /** Writes commands of GitHub Actions to stdout, whose texts are escaped; the others let none through. */
    annotations: (commands: string): void => void stdout.write(commands),
    /** Writes a message to stderr; further lines are indented, so that no benchmark imitates a message. */
    notice(message: string): void {
      erase();
      const text = inWorkflow(visible(message.replace(/\n(?! )/g, `\n${INDENT}`)));
      stderr.write(`${stderr.isTTY ? wrapped(text, stderr.columns || 80, INDENT) : text}\n`);
    },
    failure: (text: string): void => terminal.notice(`${terminal.paint('red', 'failed:', 'stderr')} ${text}`),
    /** Shows a line, or one for the columns of a terminal, until the next output; undefined removes it. */
    status(line: string | ((width: number) => string) | undefined): void {
      if (!statusIsTerminal) return;
      erase();
      if (line === undefined) return;
      const width = (stderr.columns || 80) - 1;
      const whole = typeof line === 'string' ? line : line(width);
      const text = visible(stripVTControlCharacters(whole)).replaceAll('\n', ' ');
      stderr.write(cutAt(width, text));
      shown = true;
    },
    /** Colours text for a stream that is a terminal; NO_COLOR and FORCE_COLOR override that. */
    paint(format: 'red' | 'green' | 'dim', text: string, stream: 'stdout' | 'stderr'): string {
      if (!hasColours(io[stream])) return text;
      mark ??= `\x1b${crypto.randomUUID()}`;
      return styleText(format, text, { validateStream: false }).replaceAll('\x1b', mark);
    },
    /** The width of results: the columns of a terminal. Other outputs have no limit. */
    // A terminal of unknown size has 0 columns.
    resultWidth: stdout.isTTY ? stdout.columns || 80 : Number.POSITIVE_INFINITY,
    statusIsTerminal,
  };
  return terminal;
}

/**
 * GitHub Actions reads commands such as `::error::` and `##[group]` from the output of a step, which names of
 * benchmarks and failures could contain. In JSON, the escape is the same text.
 */
function withoutWorkflowCommands(text: string): string {
  return text.replace(/^(\s*):(?=:)/gm, '$1\\u003a').replaceAll('##[', '#\\u0023[');
}
