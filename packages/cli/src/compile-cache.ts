import { enableCompileCache } from 'node:module';
import { codeDirectory } from '@bench-cli/subjects/locations';

// Keeps compiled code on disk, so that the next start is faster. Another user could create the default
// directory of Node.js first, since its name is known, and put code there.
const directory = codeDirectory('compiled');
if (directory !== undefined) enableCompileCache(directory);
