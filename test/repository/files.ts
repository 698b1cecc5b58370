import { readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** The paths of all files below folders of the repository, without the caches of Python. */
export function filesBelow(...folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !basename(entry.parentPath).startsWith('__pycache__'))
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1)),
  );
}

/** The paths of the files that are directly in each folder, by the folder's path. */
export function filesByFolder(paths: readonly string[]): Map<string, string[]> {
  return Map.groupBy(paths, (path) => dirname(path));
}
