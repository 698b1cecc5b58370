import { PLAIN_DRAFT } from '../../articles/imported-article.ts';
import { dateOf, folded, isRecord, valueOf } from '../field-values.ts';
import type { FrontMatter } from '../front-matter.ts';

/** Whether a value of a field says that the article is not public. */
type Hides = (value: unknown) => boolean;

const textOf = (value: unknown): string => String(value).trim().toLowerCase();
const isScalar = (value: unknown): boolean => /^(?:string|number|boolean)$/.test(typeof value);

/** YAML 1.1, TOML and the people who write them know more words than `true` and `false`. */
const TRUE: ReadonlySet<string> = new Set(['true', 'yes', 'y', 'on', '1']);
const FALSE: ReadonlySet<string> = new Set(['false', 'no', 'n', 'off', '0', 'never', '']);

const isTrue: Hides = (value) => isScalar(value) && TRUE.has(textOf(value));
const isFalse: Hides = (value) => isScalar(value) && FALSE.has(textOf(value));
const isNotFalse: Hides = (value) => isScalar(value) && !FALSE.has(textOf(value));
/** Eleventy can leave an article out of all collections, or of those that it lists. */
const isTrueOrListed: Hides = (value) =>
  isTrue(value) || (Array.isArray(value) && value.length > 0);
const isGiven: Hides = (value) =>
  isNotFalse(value) || (isRecord(value) && Object.values(value).some(isGiven));
/** Hugo lists or renders a page `always`, `never`, or only for pages that ask for it. */
const isNotAlways: Hides = (value) => isFalse(value) || /^(?:local|link)$/.test(textOf(value));
const forbidsIndexing: Hides = (value) =>
  /\b(?:noindex|none)\b/i.test(typeof value === 'string' ? value : JSON.stringify(value ?? ''));
/** A list of elements of the head of the page, as VuePress and VitePress have it. */
const hasRobotsElement: Hides = (value) =>
  Array.isArray(value) && /robots/i.test(JSON.stringify(value)) && forbidsIndexing(value);

/** Words for articles that everybody may read; any other word makes a draft. */
const PUBLIC: ReadonlySet<string> = new Set(
  (
    'true yes on 1 published publish public live active posted released release final finished complete completed ' +
    'done ready stable open online visible listed everyone everybody all any anyone anybody world free normal ' +
    'default standard evergreen budding seedling growing current updated new approved accepted reviewed read ' +
    'reading featured pinned publié veröffentlicht publicado pubblicato 已发布 发布 公开 公開'
  ).split(' '),
);
const isNotPublicWord: Hides = (value) =>
  Array.isArray(value)
    ? value.some(isNotPublicWord)
    : isScalar(value) && textOf(value) !== '' && !PUBLIC.has(textOf(value));
/** Fields that hold words of many kinds: only these words hide. */
const isWordForHidden: Hides = (value) =>
  /^(?:draft|private|hidden|unlisted|unpublished|pending|future|scheduled|trash|protected)s?$/.test(
    textOf(value),
  );

/**
 * The fields that hide an article, by what their values have to be. The names are those of generators and of their
 * usual themes and plugins, without case, blanks, `-`, `_` and an `is` before them.
 */
const RULES: readonly (readonly [Hides, string])[] = [
  [isNotFalse, 'draft drafts'],
  [
    isTrue,
    'hidden hide hiddenpost private secret unlisted headless archived exclude excluded ignore skip protected encrypted ' +
      'encrypt restricted confidential internal membersonly memberonly members premium paid paywall paywalled ' +
      'subscribersonly wip workinprogress unpublished disabled deleted removed trash trashed nolist ' +
      'searchhidden search.exclude searchexclude sitemapexclude sitemapignore sitemap.exclude sitemap.disable ' +
      'sitemap.ignore feed.exclude feed.excluded robots.noindex',
  ],
  [isTrueOrListed, 'eleventyexcludefromcollections'],
  [
    isFalse,
    'published publish public visible listed listing list live enabled active show render article index indexed ' +
      'indexing indexable searchable insearchindex insitemap inlist infeed robots.index sitemap permalink url dgpublish',
  ],
  [isGiven, 'password passwd pwd passphrase pagepassword postpassword deletedat'],
  [isNotAlways, 'build.list build.render'],
  [isNotPublicWord, 'status poststatus visibility access accesslevel privacy tier tiers'],
  [isWordForHidden, 'published publish type layout'],
  [forbidsIndexing, 'googlebot'],
  [hasRobotsElement, 'head meta'],
];

/** Fields that hide an article whose names are made of parts, such as `hiddenFromHomePage` and `seoNoIndex`. */
const PATTERNS: readonly (readonly [Hides, RegExp])[] = [
  [
    isTrue,
    /^(?:hide|hidden|exclude|excluded)(?:from|in|on)(?:home(?:page|list)?|lists?|listing|feeds?|rss|search|sitemap|index|collections?|archives?)$/,
  ],
  [isTrue, /(?:noindex|norobots)$/],
  [isWordForHidden, /(?:status|state|stage|visibility)$/],
  [forbidsIndexing, /^(?:meta)?robots(?:meta)?$/],
];

const HIDES_BY_NAME: ReadonlyMap<string, readonly Hides[]> = RULES.reduce(
  (byName, [hides, names]) =>
    names
      .split(' ')
      .reduce((all, name) => all.set(name, [...(all.get(name) ?? []), hides]), byName),
  new Map<string, readonly Hides[]>(),
);

/** Fields that hold fields of the article itself. The fields of others, such as `cover`, are not about it. */
const GROUPS: ReadonlySet<string> = new Set(
  'params extra seo meta metadata data page custom frontmatter options'.split(' '),
);

const EXPIRY = [
  'expiryDate',
  'unpublishDate',
  'expires',
  'expiresAt',
  'expiry',
  'expirationDate',
  'unpublishOn',
] as const;

/** Fields that only name the time of a publication to come; those that any article has are not among them. */
const PLANNED = [
  'publishDate',
  'publishOn',
  'publishAt',
  'publishAfter',
  'scheduled',
  'scheduledFor',
  'scheduledAt',
  'releaseDate',
  'embargo',
  'embargoUntil',
  'goLive',
] as const;

/** What is known of an article beside its own fields. */
export interface Surroundings {
  /** Why the path of the file says that the article is hidden; null if it does not. */
  readonly hiddenByPath: string | null;
  /** The fields that its folder and its site give to it. */
  readonly inherited?: FrontMatter;
  readonly now: Date;
}

/**
 * Why readers of the site do not see the article, in words of the report; null if they see it.
 *
 * @param fields the front matter
 */
export function whyHidden(
  fields: FrontMatter,
  { hiddenByPath, inherited = {}, now }: Surroundings,
): string | null {
  return (
    reasonIn(fields, 'in its front matter') ??
    hiddenByPath ??
    whyNotNow(fields, now) ??
    reasonIn(without(inherited, fields), 'given by its folder or the site')
  );
}

/** The fields without those that the article itself has. */
function without(inherited: FrontMatter, fields: FrontMatter): FrontMatter {
  const entries = Object.entries(inherited).flatMap(([name, value]): [string, unknown][] => {
    const own = valueOf(fields, [name]);
    if (own === undefined) return [[name, value]];
    return isRecord(value) && isRecord(own) ? [[name, without(value, own)]] : [];
  });
  return Object.fromEntries(entries);
}

/** @param where where the fields stand, in words of the report */
function reasonIn(fields: FrontMatter, where: string): string | null {
  const reasons = namedValues(fields).flatMap(([name, shown, value]) => {
    if (!hidesByName(name, value)) return [];
    const isPlain = /^(?:is)?draft$/.test(name) || (name === 'published' && isFalse(value));
    if (isPlain || textOf(value) === 'draft') return [PLAIN_DRAFT];
    return [reasonOf(name, value, { shown, where })];
  });
  // A reason that says more than "draft" is reported, even if the article is a draft as well.
  return reasons.find((each) => each !== PLAIN_DRAFT) ?? reasons[0] ?? null;
}

/** The time at which an article that is public now would expire; null for none. */
export function expiryOf(fields: FrontMatter): Date | null {
  return dateOf(fields, withGroups(EXPIRY));
}

function whyNotNow(fields: FrontMatter, now: Date): string | null {
  const expired = expiryOf(fields);
  if (expired !== null && expired <= now) return `expired at ${expired.toISOString()}`;
  const planned = withGroups(PLANNED)
    .map((name) => dateOf(fields, [name]))
    .find((date) => date !== null && date > now);
  return planned ? `to be published at ${planned.toISOString()}` : null;
}

function withGroups(names: readonly string[]): string[] {
  return names.flatMap((name) => [name, ...[...GROUPS].map((group) => `${group}.${name}`)]);
}

function hidesByName(name: string, value: unknown): boolean {
  const plain = name.replace(/^is/, '');
  const byName = HIDES_BY_NAME.get(plain) ?? [];
  const byPattern = PATTERNS.filter(([, pattern]) => pattern.test(plain)).map(([hides]) => hides);
  return [...byName, ...byPattern].some((hides) => hides(value));
}

/** The fields with their names in normal form and as written, and those within fields as `outer.inner`. */
function namedValues(fields: FrontMatter): (readonly [string, string, unknown])[] {
  return Object.entries(fields).flatMap(([shown, value]) => {
    const name = folded(shown);
    if (!isRecord(value)) return [[name, shown, value] as const];
    const inner = Object.entries(value).flatMap(([key, innerValue]) => {
      const innerName = GROUPS.has(name) ? folded(key) : `${name}.${folded(key)}`;
      return isRecord(innerValue) && GROUPS.has(name)
        ? namedValues({ [key]: innerValue })
        : [[innerName, `${shown}.${key}`, innerValue] as const];
    });
    return [[name, shown, value] as const, ...inner];
  });
}

function reasonOf(
  name: string,
  value: unknown,
  { shown, where }: { readonly shown: string; readonly where: string },
): string {
  // A password is no news for a report.
  if (/pass|pwd/.test(name)) return `"${shown}" protects it`;
  const text = isScalar(value) ? String(value).trim().slice(0, 40) : 'noindex';
  return `"${shown}: ${text}" ${where}`;
}

/** Folders of drafts and of other texts that are not for readers. */
const HIDDEN_FOLDERS: ReadonlySet<string> = new Set(
  'draft drafts private unpublished unlisted hidden trash wip secret'.split(' '),
);
/** Folders of Jekyll and Hexo whose articles are public, although their names begin with an underscore. */
const PUBLIC_FOLDERS: ReadonlySet<string> = new Set(['_posts', '_pages', '_articles', '_blog']);
const HIDDEN_NAME = /\.(?:draft|private|wip|hidden|unlisted)$/i;

/**
 * Why the path of a file says that readers do not see the article; null if it does not.
 *
 * @param folders the names of its folders
 * @param name the name of the file without its extension
 */
export function whyHiddenByPath(folders: readonly string[], name: string): string | null {
  const isDrafts = folders.some((folder) => /^_?drafts$/i.test(folder));
  if (isDrafts) return PLAIN_DRAFT;
  const folder = folders.find(
    (each) =>
      HIDDEN_FOLDERS.has(each.replace(/^_/, '').toLowerCase()) ||
      (each.startsWith('_') && !PUBLIC_FOLDERS.has(each.toLowerCase())),
  );
  if (folder !== undefined) return `in the folder "${folder}"`;
  return HIDDEN_NAME.test(name) ? 'its file is named as a draft' : null;
}
