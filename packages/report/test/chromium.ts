import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const path = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Why tests in a browser are skipped; undefined if there is a browser. */
export const noChromium = existsSync(path)
  ? undefined
  : `no Chromium at ${path}: install it, or set CHROMIUM to its path`;

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: path,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
