import { buildIfStale } from './build-if-stale.mjs';

buildIfStale();
await import('../dist/main.js');
