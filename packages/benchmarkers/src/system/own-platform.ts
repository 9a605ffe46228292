import { linux } from './linux.ts';
import { macos } from './macos.ts';
import type { Platform } from './platform.ts';
import { windows } from './windows.ts';

/** The platform of an operating system as Node.js names it. Other systems than these three get that of macOS, whose `ps` most have. */
export function platformOf(name: NodeJS.Platform): Platform {
  if (name === 'win32') return windows;
  return name === 'linux' ? linux : macos;
}

export const platform: Platform = platformOf(process.platform);
