/**
 * Finds, fetches and places what is compared: runtimes, packages and sources. It knows no session and starts
 * no benchmark.
 *
 * @packageDocumentation
 */
export { commitAddress, commitOrigin, commitPlaces, commitTexts, refsOf, repositoryOf } from './git.ts';
export { cacheDirectory, codeDirectory } from './locations.ts';
export { packageCommands } from './package-manager.ts';
export { originalPlaces, type PlacedRequest, type PlacedSubject, placeRequest } from './placement.ts';
export { checkDifferent, executeAlike } from './same-code.ts';
export {
  isRelease,
  requestOf,
  resolveSubject,
  resolveSubjects,
  type SubjectRequests,
  subjectList,
} from './subject.ts';
export type * from './subject-request.ts';
export { type NamedSubject, readSubject } from './subject-text.ts';
export { missingSubmodule, updateSubmodules } from './submodules.ts';
