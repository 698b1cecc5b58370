import { basename, dirname, extname } from 'node:path/posix';
import { dateInPath, type PathDate } from '../dates/date-in-path.ts';
import { whyHiddenByPath } from './visibility/visibility.ts';

/** Data of an article that the path of its file contains. */
export interface NamedByPath {
  /** The slug; null for a file that is no article, such as the page of a section. */
  readonly slug: string | null;
  /** Whether it is named as files about a folder are. With front matter it is an article. */
  readonly isAboutFolder: boolean;
  readonly date: PathDate | null;
  /** Why the path says that readers of the site do not see the article; null if it does not. */
  readonly hidden: string | null;
  /** Whether it is named as Jekyll names posts and drafts. */
  readonly isOfJekyll: boolean;
  readonly form: 'markdown' | 'mdx' | 'html';
  /** The language in the name, as in `index.de.md`; null if there is none. */
  readonly language: string | null;
}

const EXTENSIONS: ReadonlySet<string> = new Set([
  '.md',
  '.markdown',
  '.mdown',
  '.mkd',
  '.mkdn',
  '.mdx',
]);

/** The files that are not in Markdown. */
const FORMS: Readonly<Record<string, NamedByPath['form']>> = {
  '.mdx': 'mdx',
  '.html': 'html',
  '.htm': 'html',
};

/** The formats of articles that are not imported. A file of HTML is also a template in most generators. */
const OTHER_FORMATS: Readonly<Record<string, string>> = {
  '.rst': 'reStructuredText',
  '.adoc': 'AsciiDoc',
  '.asciidoc': 'AsciiDoc',
  '.org': 'Org',
  '.textile': 'Textile',
  '.ipynb': 'Jupyter',
  '.html': 'HTML',
  '.htm': 'HTML',
};

/** Matches the language in the name of a file, without its ending. */
const LANGUAGE = /\.([a-z]{2}(?:-[a-z]{2,4})?)$/i;

/** Matches the names of files about the folder. With front matter such a file is an article. */
const ABOUT_FOLDER = /^(?:readme|license|changelog|contributing|code_of_conduct|security)$/i;

/** Matches a date before the slug, as Jekyll, Eleventy and Docusaurus write it. */
const DATED = /^\d{4}-\d{1,2}-\d{1,2}-(.+)$/;
/** Matches the month and the day before the slug of a file in the folder of a year, as Docusaurus has them. */
const DATED_IN_YEAR = /^\d{2}-\d{2}-(.+)$/;
const YEAR = /^(?:19|20)\d{2}$/;

/** Matches `index`, or `index.de` with a language: the article of a folder in Hugo, Astro and Gatsby. */
const INDEX = /^index(?:\.([a-z]{2}(?:-[a-z]{2,4})?))?$/i;

/** Whether a file may be an article: Markdown, or a post of Jekyll in HTML. */
export function isArticleFile(path: string): boolean {
  const extension = extname(path).toLowerCase();
  return EXTENSIONS.has(extension) || (extension in FORMS && isOfJekyll(path));
}

/** The format of a file that may be an article which is not imported; null for other files. */
export function otherFormatOf(path: string): string | null {
  return OTHER_FORMATS[extname(path).toLowerCase()] ?? null;
}

function isOfJekyll(path: string): boolean {
  return DATED.test(basename(path, extname(path))) || path.split('/').includes('_drafts');
}

/**
 * @param path the path within the folder of the import, with slashes
 * @param root the name of that folder
 */
export function readFileName(path: string, root = ''): NamedByPath {
  const extension = extname(path);
  const name = basename(path, extension);
  const index = INDEX.exec(name);
  const folder = basename(dirname(path));
  const articleName = index ? [folder, index[1]].filter(Boolean).join('-') : name;
  const dated = DATED.exec(articleName) ?? (YEAR.test(folder) ? DATED_IN_YEAR.exec(name) : null);
  const isSection = name.startsWith('_') || (index !== null && folder === '.');
  return {
    isAboutFolder: ABOUT_FOLDER.test(name),
    slug: isSection ? null : (dated?.[1] ?? articleName),
    date: dateInPath(path),
    hidden: whyHiddenByPath([root.replace(/^_/, ''), ...path.split('/').slice(0, -1)], name),
    isOfJekyll: isOfJekyll(path),
    form: FORMS[extension.toLowerCase()] ?? 'markdown',
    language: index?.[1] ?? LANGUAGE.exec(name)?.[1] ?? null,
  };
}
