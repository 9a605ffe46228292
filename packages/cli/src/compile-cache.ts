import { enableCompileCache } from 'node:module';
import { codeDirectory } from '@bench-cli/subjects/locations';

// Keeps compiled code on disk, so that the next start is faster. The default directory of Node.js is below the temporary
// directory under a name that is known, so another user could create it first and put code there.
const directory = codeDirectory('compiled');
if (directory !== undefined) enableCompileCache(directory);
