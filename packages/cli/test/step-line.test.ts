import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { logIntervalMs, StepLine } from '../src/session/step-line.ts';
import { processTerminal } from '../src/terminal.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function terminal(isTTY: boolean) {
  const stream = () => Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY, columns: 80 });
  const stderr = stream();
  return { of: processTerminal({ stdout: stream(), stderr }), error: (): string => stderr.read() ?? '' };
}

describe('the step of a command', () => {
  it('stands in a log every 30 seconds', () => {
    const { of, error } = terminal(false);
    {
      using step = new StepLine(of);
      step.show('checking a');
      expect(error()).toBe('');
      vi.advanceTimersByTime(logIntervalMs);
      expect(error()).toBe('checking a\n');
      step.show('checking b');
      step.show('checking c');
      vi.advanceTimersByTime(2 * logIntervalMs);
      expect(error()).toBe('checking c\nchecking c\n');
    }
    vi.advanceTimersByTime(2 * logIntervalMs);
    expect(error()).toBe('');
  });

  it('is shown on a terminal at once, and removed at the end', () => {
    const { of, error } = terminal(true);
    {
      using step = new StepLine(of);
      step.show('checking a');
      expect(error()).toContain('checking a');
      vi.advanceTimersByTime(2 * logIntervalMs);
      expect(error()).toBe('');
    }
    expect(error()).toBe('\r\x1b[K');
  });
});
