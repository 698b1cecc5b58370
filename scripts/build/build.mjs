import { spawnSync } from 'node:child_process';
import { bundle, forgetBuild } from '../build-if-stale.mjs';
import { withBuildLock } from './build-lock.mjs';

/**
 * Builds `dist` anew, while no other process builds it. Files are replaced where they are, because a server may be
 * loading them at this moment.
 */
process.exitCode = withBuildLock(() => {
  forgetBuild();
  const { status } = spawnSync('nest', ['build'], { stdio: 'inherit' });
  return status === 0 ? bundle() : (status ?? 1);
});
