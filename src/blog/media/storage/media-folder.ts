import { join, resolve } from 'node:path';
import type { Env } from '../../../platform/config/env.js';

/** The folder for files that uploads send, and for pictures in the sizes that were asked for. It can be deleted. */
export function mediaFolder({
  MEDIA_CACHE_DIR,
  DATA_DIR,
}: Pick<Env, 'MEDIA_CACHE_DIR' | 'DATA_DIR'>): string {
  return resolve(MEDIA_CACHE_DIR ?? join(DATA_DIR, 'media'));
}

/** The folder for files whose upload is not answered yet. */
export function uploadFolder(env: Parameters<typeof mediaFolder>[0]): string {
  return join(mediaFolder(env), 'uploads');
}
