import { dirname, join } from 'node:path/posix';
import { percentDecoded } from '../../../platform/text/percent-decoded.js';
import { cleanedFragment, giveGithubIds, HeadingIndex, type Heading } from './heading-ids.js';

/** What is known of an article before it is imported. */
export interface KnownArticle {
  /** Its file within the folder, or its name in the report. */
  readonly source: string;
  /** Its slug in the source; null if it has none. */
  readonly slug: string | null;
  readonly title: string | null;
  readonly publishedAt: Date | null;
  /** URLs and paths by which it was known. */
  readonly addresses?: readonly string[];
  /** Its headings, as far as they are known. */
  readonly headings?: readonly Heading[];
}

export interface LinkTarget {
  /** The new address: a URL, or a path on the site. */
  readonly url: string;
  readonly title: string | null;
}

/** The scheme that the converter of Markdown gives to links to other articles. */
const ARTICLE = 'article:';

/** Parts of addresses that say that something else than an article is meant. */
const NO_ARTICLE =
  /^(?:tags?|categor(?:y|ies)|authors?|page|pages|assets|images?|img|static|files|uploads|wp-content|content|feeds?)$/i;
const EXTENSION = /\.(?:md|mdx|markdown|mdown|html?|php)$/i;
const DATE = /(?:^|\/)(\d{4})[/-](\d{1,2})(?:[/-](\d{1,2}))?(?=[/-]|$)/;

/** The names of an article, the better known ones first. */
const NAMES: readonly ((article: KnownArticle) => readonly string[])[] = [
  ({ source }) => {
    const last = fileKey(source).split('/').at(-1) ?? '';
    return [last, last.replace(/^\d{4}-\d{1,2}-\d{1,2}-/, '')];
  },
  ({ title }) => [title ?? ''],
  ({ slug }) => [slug ?? ''],
];

/** The articles of an import, found by the links to them. */
export class ArticleLinks {
  private readonly byPath = new Map<string, LinkTarget>();
  private readonly byFile = new Map<string, LinkTarget>();
  private readonly byName = new Map<string, LinkTarget>();
  /** The articles with a slug, to which an address may lead that ends with it. */
  private readonly bySlug = new Map<string, { target: LinkTarget; day: string; file: string }[]>();
  private readonly headings = new Map<LinkTarget, readonly Heading[]>();
  /** The headings of articles to which fragments have led so far. */
  private readonly indexes = new Map<LinkTarget, HeadingIndex>();
  private readonly hosts: ReadonlySet<string>;
  private readonly prefix: string;

  /** @param sites URLs of the former site; '' and other invalid ones are left out */
  constructor(
    articles: readonly (readonly [KnownArticle, LinkTarget])[],
    sites: readonly (string | null)[],
  ) {
    const urls = sites.flatMap((site) => (site === null ? [] : (URL.parse(site) ?? [])));
    this.hosts = new Set(urls.map(({ hostname }) => withoutWww(hostname)));
    this.prefix = urls[0]?.pathname.replace(/\/$/, '') ?? '';
    for (const [article, target] of articles) this.add(article, target);
    // A notebook knows its notes by their files: no title or slug of another one goes before that.
    for (const namesOf of NAMES) {
      for (const [article, target] of articles) {
        for (const name of namesOf(article)) setNew(this.byName, nameKey(name), target);
      }
    }
  }

  /**
   * The new address of the article to which a link leads; null for a link that leads elsewhere.
   *
   * @param source the article that has the link
   */
  resolve(href: string, source: string): LinkTarget | null {
    const [, address = '', fragment = ''] = /^([^#]*)(?:#(.*))?$/s.exec(href.trim()) ?? [];
    if (address === '') return null;
    const target = this.find(address, source);
    if (!target) return null;
    return fragment === ''
      ? target
      : { ...target, url: target.url + this.fragmentIn(target, fragment) };
  }

  /** The new fragment for one by which a generator knew a heading of another article. */
  private fragmentIn(target: LinkTarget, fragment: string): string {
    let index = this.indexes.get(target);
    if (!index) {
      const headings = this.headings.get(target) ?? [];
      giveGithubIds(headings);
      index = new HeadingIndex(headings);
      this.indexes.set(target, index);
    }
    return cleanedFragment(index.find(fragment)?.id ?? fragment);
  }

  private find(address: string, source: string): LinkTarget | undefined {
    const name = articleNameIn(address);
    if (name !== null) return this.named(name, source);
    if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(address)) {
      const url = URL.parse(address, 'https://a.invalid');
      if (!url || !this.hosts.has(withoutWww(url.hostname))) return undefined;
      return this.atPath(url.pathname + url.search);
    }
    if (address.startsWith('/')) return this.atPath(address);
    const path = percentDecoded(address.replace(/\?.*$/, ''));
    if (path === '') return undefined;
    const file = join(dirname(source), path);
    // A generator may have given the article a folder of its own, to which its links are relative.
    return this.byFile.get(fileKey(file)) ?? this.atPath(`/${file}`);
  }

  /** An article that is named by its file, slug or title. */
  private named(name: string, source: string): LinkTarget | undefined {
    const path = name.replace(/^\.?\//, '');
    return (
      this.byFile.get(fileKey(join(dirname(source), path))) ??
      this.byFile.get(fileKey(path)) ??
      this.byName.get(nameKey(path)) ??
      this.byName.get(nameKey(path.split('/').at(-1) ?? '')) ??
      this.atPath(`/${path}`)
    );
  }

  private atPath(address: string): LinkTarget | undefined {
    const whole = pathKey(address);
    const path =
      this.prefix !== '' && whole.startsWith(`${this.prefix}/`)
        ? whole.slice(this.prefix.length)
        : whole;
    const known = this.byPath.get(whole) ?? this.byPath.get(path) ?? this.byFile.get(fileKey(path));
    if (known || path.includes('?')) return known;
    const parts = path.split('/').filter((part) => part !== '');
    if (parts.slice(0, -1).some((part) => NO_ARTICLE.test(part))) return undefined;
    const day = dayIn(path);
    const slug = (parts.at(-1) ?? '').replace(/^\d{4}-\d{1,2}-\d{1,2}-/, '');
    // An address with a date leads to an article of that date, and one with folders to the file in most of them.
    const found = (this.bySlug.get(slug) ?? []).filter((each) => each.day.startsWith(day));
    const shared = found.map(({ file }) => sharedFolders(file, path));
    return found[shared.indexOf(Math.max(...shared))]?.target;
  }

  private add(
    { source, slug, publishedAt, addresses = [], headings = [] }: KnownArticle,
    target: LinkTarget,
  ): void {
    const file = fileKey(source);
    setNew(this.byFile, file, target);
    if (headings.length > 0) this.headings.set(target, headings);
    for (const address of addresses) setNew(this.byPath, pathKey(address), target);
    const key = (slug ?? '').toLowerCase();
    const day = publishedAt?.toISOString().slice(0, 10) ?? dayIn(source);
    if (key === '') return;
    const known = this.bySlug.get(key);
    if (known) known.push({ target, day, file });
    else this.bySlug.set(key, [{ target, day, file }]);
  }
}

/** The name by which a link names another article of the import; null for a link with an address. */
export function articleNameIn(href: string): string | null {
  return href.startsWith(ARTICLE) ? percentDecoded(href.slice(ARTICLE.length)) : null;
}

/** The path of an address, without its ending. */
export function pathKey(address: string): string {
  const url = URL.parse(address.trim(), 'https://a.invalid/');
  const path = percentDecoded(url?.pathname ?? '')
    .replace(/\/index\.html?$/i, '/')
    .replace(EXTENSION, '');
  const id = /^\?p(?:age_id)?=\d+$/.test(url?.search ?? '') ? url!.search : '';
  return `${path.replace(/(?<=^\/|[^/])\/+$/, '').toLowerCase()}${id}`;
}

/** The path of a file without its ending; that of its folder for the article of a folder. */
function fileKey(path: string): string {
  return path
    .toLowerCase()
    .replace(EXTENSION, '')
    .replace(/\/index$/, '')
    .replace(/^\/+|(?<!\/)\/+$/g, '');
}

/** The number of folders, the innermost first, in which a file and an address agree. */
function sharedFolders(file: string, path: string): number {
  const [ofFile, ofPath] = [file, path].map((each) => each.split('/').slice(0, -1).reverse());
  const differs = ofFile!.findIndex((folder, at) => folder !== ofPath![at]);
  return differs === -1 ? ofFile!.length : differs;
}

function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase().replace(EXTENSION, '').trim();
}

/** The date in a path, as far as it is there: `2020-01-02` or `2020-01`. */
function dayIn(path: string): string {
  const [, year, ...rest] = DATE.exec(path) ?? [];
  if (year === undefined) return '';
  return [year, ...rest.filter((part) => part !== undefined)]
    .map((part) => part.padStart(2, '0'))
    .join('-');
}

/** The first article that has a name keeps it. */
function setNew(map: Map<string, LinkTarget>, key: string, target: LinkTarget): void {
  if (key !== '' && !map.has(key)) map.set(key, target);
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, '');
}
