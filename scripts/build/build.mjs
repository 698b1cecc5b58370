import { spawnSync } from 'node:child_process';
import { forgetBuild, removeOrphans } from '../build-if-stale.mjs';
import { withBuildLock } from './build-lock.mjs';

/**
 * Builds `dist` anew, while no other process builds it. Files are replaced where they are, because a server may be
 * loading them at this moment.
 */
process.exitCode = withBuildLock(() => {
  forgetBuild();
  const { status } = spawnSync('nest', ['build'], { stdio: 'inherit' });
  if (status === 0) removeOrphans();
  return status ?? 1;
});
