import { readSubject, type SubjectRequests } from '@bench-cli/runner';

/** The subject of a command with one, from the text of `--subject`. */
export function singleSubject(text: string | undefined): SubjectRequests {
  const { name = 'node', request } = text === undefined ? { request: {} } : readSubject(text);
  return { [name]: request };
}
