import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { percentDecoded } from '../../../platform/text/percent-decoded.js';
import { lastPartOf, type FoundPicture, type PictureSource } from './picture-source.js';

/** How many folders above that of the import may be those of its site. */
const PARENTS_MAX = 3;

/** The folders of a site whose files are at its root. */
const SERVED = ['static', 'public', 'assets', 'source'];

/** The folders of a site that may hold pictures, besides the folder of the import. */
const OF_PICTURES = [...SERVED, 'images', 'img', 'media', 'uploads'];

/** A file that is no regular one, such as a pipe, is opened without waiting for what it would send. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * Finds pictures in the folder of an import, and in the folders for pictures of its site. Articles may name any file
 * of the machine: no other is read, and links of the file system lead out of these folders no more than `..`.
 */
export class FolderPictures implements PictureSource {
  private readonly root: string;
  private readonly hosts: ReadonlySet<string>;

  /** @param sites URLs of the site of the folder */
  constructor(folder: string, sites: readonly (string | null)[]) {
    this.root = resolve(folder);
    this.hosts = new Set(sites.flatMap((site) => (site === null ? [] : new URL(site).host)));
  }

  async find(
    address: string,
    { source }: { readonly source: string },
  ): Promise<FoundPicture | null> {
    const path = this.pathIn(address);
    if (path === null) return null;
    const paths = [...new Set([percentDecoded(path), path])];
    for (const file of paths.flatMap((each) => this.candidates(each, source))) {
      if (!(await this.mayBeRead(file))) continue;
      return {
        key: relative(this.root, file).split(sep).join('/'),
        // An export of ours begins the names of pictures with their ids.
        name: lastPartOf(file.split(sep).join('/')).replace(/^[0-9a-f]{24}-/, ''),
        open: async () => (await open(file, FLAGS)).createReadStream(),
      };
    }
    return null;
  }

  close(): void {}

  /** The path of an address; null for one of another site. */
  private pathIn(address: string): string | null {
    const plain = address.replace(/[?#].*$/s, '');
    if (!/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(plain)) return plain === '' ? null : plain;
    const url = URL.parse(plain, 'https://a.invalid');
    return url && this.hosts.has(url.host) ? url.pathname : null;
  }

  private candidates(path: string, source: string): string[] {
    if (path.includes('\0')) return [];
    const parents = foldersFrom(this.root);
    const atSite = parents.flatMap((folder) => [
      join(folder, path),
      ...SERVED.map((name) => join(folder, name, path)),
    ]);
    const beside = join(this.root, dirname(source), path);
    return path.startsWith('/') ? atSite : [beside, ...atSite];
  }

  private async mayBeRead(file: string): Promise<boolean> {
    const allowed = [
      this.root,
      ...foldersFrom(this.root)
        .slice(1)
        .flatMap((folder) => OF_PICTURES.map((name) => join(folder, name))),
    ];
    const folder = allowed.find((each) => isWithin(file, each));
    if (folder === undefined) return false;
    try {
      const [real, realFolder] = await Promise.all([realpath(file), realpath(folder)]);
      return isWithin(real, realFolder) && (await stat(real)).isFile();
    } catch {
      return false;
    }
  }
}

/** A folder, and those above it that may be of its site. */
function foldersFrom(folder: string): string[] {
  const folders = [folder];
  for (let count = 0; count < PARENTS_MAX; count += 1) folders.push(dirname(folders.at(-1) ?? '/'));
  return [...new Set(folders)];
}

function isWithin(file: string, folder: string): boolean {
  return file.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
