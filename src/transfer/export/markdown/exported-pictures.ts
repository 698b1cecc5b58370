import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { mongo } from 'mongoose';
import type { Cover } from '../../../blog/media/cover/cover.js';
import { PictureStore } from '../../../blog/media/storage/picture-store.js';
import { fileNameOf } from '../../../platform/picture/shown-picture.js';
import type { ArchiveDatabase } from '../../archive-database.js';

/** Name of the folder for pictures. */
const FOLDER = 'media';

const IMAGE = /<img\b[^>]*>/g;
const SIZE = / (?:width|height)="\d*"/g;

/** The address of a picture in a stored text, as an attribute. */
const ADDRESS =
  /(?<=\b(?:src|href)=")\/media\/([0-9a-f]{24})\/([a-z0-9-]{1,80}\.(?:jpg|png|webp|gif))(?=[#"])/g;

/** What became of the pictures of exported articles. */
export interface PictureCounts {
  readonly pictures: number;
  /** The pictures that articles show, and the library does not have, as the articles name their files. */
  readonly missingPictures: readonly string[];
}

/** The pictures that exported articles show, by the names of their files. */
export class ExportedPictures {
  private readonly idsByFile = new Map<string, string>();

  /**
   * Leads the pictures of a text to the files that they are written to.
   *
   * @param root the way from the folder of the article to that of the export
   */
  linked(html: string, root: '' | '../'): string {
    return html
      .replace(IMAGE, (tag) => (tag.search(ADDRESS) < 0 ? tag : tag.replace(SIZE, '')))
      .replace(ADDRESS, (_, id: string, name: string) => {
        const file = `${id}-${name}`;
        this.idsByFile.set(file, id);
        return `${root}${FOLDER}/${file}`;
      });
  }

  /**
   * The file to which a cover is written, with its point of focus, as texts have it.
   *
   * @param root the way from the folder of the article to that of the export
   */
  coverFile(cover: Cover, root: '' | '../'): string {
    const { media, focus } = cover;
    const file = `${media}-${fileNameOf(cover)}`;
    this.idsByFile.set(file, media);
    return `${root}${FOLDER}/${file}${focus ? `#focus=${focus.x},${focus.y}` : ''}`;
  }

  /** Writes the pictures, each once, to a folder of their own. Whoever may read the export may read them. */
  async write(database: ArchiveDatabase, dir: string): Promise<PictureCounts> {
    const store = database.app.get(PictureStore, { strict: false });
    if (this.idsByFile.size > 0) await mkdir(join(dir, FOLDER), { mode: 0o700 });
    const missing: string[] = [];
    for (const [file, id] of this.idsByFile) {
      const path = join(dir, FOLDER, file);
      const media = await database.db
        .collection('media')
        .findOne({ _id: new mongo.ObjectId(id) }, { projection: { file: 1 } });
      try {
        if (!media) throw new Error('it has no record');
        await store.read(media['file'] as mongo.ObjectId, path);
        await chmod(path, 0o600);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
        await rm(path, { force: true });
        missing.push(file);
      }
    }
    return { pictures: this.idsByFile.size - missing.length, missingPictures: missing };
  }
}
