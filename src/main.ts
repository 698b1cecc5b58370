import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { nodeProblem } from './cli/node-version.js';

const problem = nodeProblem(process.versions.node);
if (problem === null) {
  // The first start keeps the compiled code for later ones, beside the program, so that nobody else can change it.
  // Where the folder cannot be written, nothing is kept.
  enableCompileCache(fileURLToPath(new URL('.compile-cache', import.meta.url)));
  // An older Node.js must not even load the other modules: it would prepare the database and then fail.
  const { runServer } = await import('./cli/run-server.js');
  await runServer();
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
