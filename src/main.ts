import { nodeProblem } from './cli/node-version.js';

const problem = nodeProblem(process.versions.node);
if (problem === null) {
  // An older Node.js must not even load the other modules: it would prepare the database and then fail.
  const { runServer } = await import('./cli/run-server.js');
  await runServer();
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
