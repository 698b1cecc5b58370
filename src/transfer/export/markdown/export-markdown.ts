import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientSession } from 'mongoose';
import { stringify } from 'yaml';
import type { LiveField } from '../../../blog/core/blog-fields.js';
import type { Cover } from '../../../blog/media/cover/cover.js';
import { NOT_REMOVED, type Blog } from '../../../blog/core/blog.schema.js';
import { stateOf } from '../../../blog/core/blog.state.js';
import { OperatorError } from '../../../platform/config/operator.error.js';
import type { ArchiveDatabase } from '../../archive-database.js';
import { PICTURE_NAMES } from '../../markdown-names.js';
import { explainErrors } from '../../output-file.js';
import { ExportedPictures } from './exported-pictures.js';
import { fileNameOf } from './file-name.js';
import { htmlToMarkdown } from './html-to-markdown.js';

/** Name of the folder for texts that readers do not see. */
const DRAFTS = 'drafts';
/** Number of articles per reply of the database. */
const BATCH = 100;

type ExportedBlog = Blog & {
  /** The author as a list of one; empty after the account was deleted. */
  readonly authors: readonly { readonly name: string; readonly email: string }[];
};

interface Article {
  readonly fields: Pick<Blog, LiveField>;
  readonly date: Date;
  readonly lastmod: Date;
  readonly html: string;
  readonly isDraft: boolean;
}

/**
 * Writes each article that is not in the trash to files: the live version to the folder, and the
 * working copy to `drafts` if readers do not see it.
 *
 * @returns the number of files in each folder, and the pictures that the articles show, which are not written yet
 * @throws OperatorError when the folder is not empty, or cannot be written
 */
export async function exportMarkdown(
  { db }: ArchiveDatabase,
  dir: string,
  session: ClientSession | undefined,
  onRecords: (count: number) => void,
): Promise<{ published: number; drafts: number; pictures: ExportedPictures }> {
  const pictures = new ExportedPictures();
  return explainErrors(dir, async () => {
    await mkdir(join(dir, DRAFTS), { recursive: true, mode: 0o700 });
    const present = (await readdir(dir, { recursive: true })).filter((name) => name !== DRAFTS);
    if (present.length > 0) throw new OperatorError(`${dir} is not empty: name a new folder.`);
    const counts = { published: 0, drafts: 0 };
    const blogs = db
      .collection('blogs')
      .aggregate<ExportedBlog>(
        [
          { $match: { ...NOT_REMOVED, status: { $ne: false } } },
          { $sort: { _id: 1 } },
          { $project: { 'live.words': 0, revisions: 0, events: 0 } },
          { $lookup: { from: 'users', localField: 'author', foreignField: '_id', as: 'authors' } },
        ],
        { ...(session && { session }), batchSize: BATCH },
      );
    for await (const blog of blogs) {
      for (const article of articlesOf(blog)) {
        const folder = article.isDraft ? join(dir, DRAFTS) : dir;
        const path = join(folder, fileNameOf(article.fields.slug, blog._id.toHexString()));
        const root = article.isDraft ? '../' : '';
        const html = pictures.linked(article.html, root);
        const picture = pictureOf(article.fields, (cover) => pictures.coverFile(cover, root));
        const text = textOf({ ...article, html }, picture, blog);
        await writeFile(path, text, { flag: 'wx', mode: 0o600 });
        counts[article.isDraft ? 'drafts' : 'published'] += 1;
      }
      onRecords(1);
    }
    return { ...counts, pictures };
  });
}

/** The live version, and the working copy unless it is what readers see. */
function articlesOf(blog: ExportedBlog): Article[] {
  const { live, text, createdAt, updatedAt, draftText } = blog;
  const state = stateOf(blog);
  const copy = { date: createdAt, lastmod: updatedAt, html: draftText, isDraft: true };
  return [
    ...(live && blog.published
      ? [{ fields: live, date: live.at, lastmod: live.updatedAt, html: text ?? '', isDraft: false }]
      : []),
    ...(state === 'live' ? [] : [{ fields: blog, ...copy }]),
  ];
}

/**
 * The picture of an article in front matter: the file of its cover, or an address.
 *
 * @param fileOf the path to the file of a cover, from the folder of the article
 */
function pictureOf(
  { imgUrl, cover }: Pick<Blog, LiveField>,
  fileOf: (cover: Cover) => string,
): Readonly<Record<string, string>> {
  const image = cover ? fileOf(cover) : imgUrl;
  return {
    ...(image === undefined ? {} : { [PICTURE_NAMES.imgUrl[0]]: image }),
    ...(cover && cover.alt !== '' ? { [PICTURE_NAMES.imgAlt[0]]: cover.alt } : {}),
  };
}

/** The content of a file: front matter in YAML, and the text as Markdown. */
function textOf(
  { fields, date, lastmod, html, isDraft }: Article,
  picture: Readonly<Record<string, string>>,
  blog: ExportedBlog,
): string {
  const { title, description, tags, slug } = fields;
  const [author] = blog.authors;
  const frontMatter = {
    title,
    description,
    date,
    lastmod,
    tags,
    draft: isDraft,
    slug,
    ...(isDraft ? { state: stateOf(blog) } : {}),
    ...picture,
    ...(author ? { author: { name: author.name, email: author.email } } : {}),
    id: blog._id.toHexString(),
  };
  return `---\n${stringify(frontMatter, { lineWidth: 0 })}---\n\n${htmlToMarkdown(html)}\n`;
}
