import type { Platform } from './platform.ts';

/** What Linux and macOS have in common. */
export const posix = {
  killGroup(groupId) {
    try {
      process.kill(-groupId, 'SIGKILL');
    } catch (error) {
      const { code } = Object(error);
      if (code !== 'ESRCH' && code !== 'EPERM') throw error;
    }
  },
  shell: (command) => ['sh', '-c', command],
} satisfies Partial<Platform>;
