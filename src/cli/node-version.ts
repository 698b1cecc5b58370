import { createRequire } from 'node:module';

/** The path is the same from `src/cli` and from `dist/cli`. */
const { engines } = createRequire(import.meta.url)('../../package.json') as {
  engines: { node: string };
};

/**
 * Tells whether a version of Node.js is older than package.json allows. This module imports nothing of the server, so
 * that an old version can run it.
 *
 * @returns a sentence for the operator; null if the version is new enough
 */
export function nodeProblem(version: string): string | null {
  const oldest = engines.node.replace('>=', '');
  if (!isOlder(version.split('.').map(Number), oldest.split('.').map(Number))) return null;
  return `Pressroom needs Node.js ${oldest} or newer, and this is v${version}: install one, or use "npm start".`;
}

function isOlder(
  [major = 0, minor = 0]: number[],
  [oldMajor = 0, oldMinor = 0]: number[],
): boolean {
  return major < oldMajor || (major === oldMajor && minor < oldMinor);
}
