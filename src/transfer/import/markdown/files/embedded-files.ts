import { basename, dirname, join, relative } from 'node:path/posix';

/** The files of a folder that are no articles, by their paths and by their names without a folder. */
export type FilesByName = ReadonlyMap<string, string>;

/** @param paths paths within the folder, with slashes */
export function filesByName(paths: readonly string[]): FilesByName {
  const found = new Map(paths.map((path) => [path, path]));
  for (const path of paths) {
    if (!found.has(basename(path))) found.set(basename(path), path);
  }
  return found;
}

/**
 * The files that a text names as notebooks do, `![[a.png]]`, without the folder in which they are.
 *
 * @returns their paths, relative to the folder of the article, by the names in the text
 */
export function namedFiles(
  text: string,
  path: string,
  files: FilesByName,
): Readonly<Record<string, string>> {
  const folder = dirname(path);
  const names = [...text.matchAll(/\[\[([^[\]|\n]{1,300})/g)].map(([, name = '']) => name.trim());
  return Object.fromEntries(
    names.flatMap((name) => {
      const file = files.get(join(folder, name)) ?? files.get(name) ?? files.get(basename(name));
      return file === undefined ? [] : [[name, relative(folder, file)]];
    }),
  );
}
