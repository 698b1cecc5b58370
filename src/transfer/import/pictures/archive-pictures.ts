import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { percentDecoded } from '../../../platform/text/percent-decoded.js';
import { openFiles, type SourceFiles } from '../files/source-files.js';
import { lastPartOf, type FoundPicture, type PictureSource } from './picture-source.js';

/** The part of a path by which Ghost and others ask for another size of a file. */
const SIZE = /\/size\/w\d+(?:h\d+)?(?:\/format\/\w+)?(?=\/)/;

/** Length of a name that no two pictures have by chance. */
const UNIQUE_LENGTH = 16;

/** Finds pictures among the files of an export, by the ends of their addresses. */
export class ArchivePictures implements PictureSource {
  private readonly byName: ReadonlyMap<string, readonly string[]>;

  /**
   * @param files closed with this object
   * @param isOwn whether addresses of this host lead to files of the export
   */
  constructor(
    private readonly files: SourceFiles,
    private readonly isOwn: (host: string) => boolean,
  ) {
    this.byName = Map.groupBy(files.paths, lastPartOf);
  }

  find(address: string): Promise<FoundPicture | null> {
    const url = URL.parse(address, 'https://a.invalid/');
    const isRelative = url?.hostname === 'a.invalid';
    if (!url || !/^https?:$/.test(url.protocol) || !(isRelative || this.isOwn(url.hostname))) {
      return Promise.resolve(null);
    }
    const wanted = percentDecoded(url.pathname).replace(SIZE, '').split('/').reverse();
    const [name = ''] = wanted;
    const candidates = (this.byName.get(name) ?? []).map((path) => {
      const parts = path.split('/').reverse();
      const differs = parts.findIndex((part, at) => part !== wanted[at]);
      return { path, shared: differs === -1 ? parts.length : differs, isWhole: differs === -1 };
    });
    const [best, next] = candidates.toSorted((one, other) => other.shared - one.shared);
    if (!best || best.shared === next?.shared) return Promise.resolve(null);
    const isSame = best.isWhole || best.shared > 1 || name.length >= UNIQUE_LENGTH;
    const { path } = best;
    return Promise.resolve(isSame ? { key: path, name, open: () => this.files.open(path) } : null);
  }

  close(): void {
    this.files.close();
  }
}

/**
 * The pictures of an export that lie beside its file, in a folder of this path; null if there is no such folder.
 *
 * @param sites URLs of the site of the export
 */
export async function picturesBeside(
  file: string,
  paths: readonly string[],
  sites: readonly (string | null)[],
): Promise<PictureSource | null> {
  for (const path of paths) {
    const folder = join(dirname(file), path);
    const isThere = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (isThere) return new ArchivePictures(await openFiles(folder), isHostOf(sites));
  }
  return null;
}

/** Tells whether a host is that of one of these sites. */
export function isHostOf(sites: readonly (string | null)[]): (host: string) => boolean {
  const hosts = sites.flatMap((site) => URL.parse(site ?? '')?.hostname ?? []);
  const known = new Set(hosts.map(withoutWww));
  return (host) => known.has(withoutWww(host));
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, '');
}
