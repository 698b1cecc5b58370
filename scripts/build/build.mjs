import { spawnSync } from 'node:child_process';
import { withBuildLock } from './build-lock.mjs';

/** Builds `dist` anew, while no other process builds it. */
const { status } = withBuildLock(() => spawnSync('nest', ['build'], { stdio: 'inherit' }));
process.exitCode = status ?? 1;
