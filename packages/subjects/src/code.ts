/** Asks git and npm about the code of subjects: an entry of its own, because it loads slowly. */
export { changedPaths, filesOfTree } from './git-source.ts';
export { isSource, loadedBuilds, unloadedPaths } from './loaded-build.ts';
export { versionRequest, versionsOf } from './versions.ts';
