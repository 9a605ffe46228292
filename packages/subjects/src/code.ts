/** What asks git and npm about the code of subjects. It is an entry of its own, because it loads slowly and few commands need it. */
export { changedPaths } from './git-source.ts';
export { isSource, loadedBuilds } from './loaded-build.ts';
export { versionRequest, versionsOf } from './versions.ts';
