import type { SourceAuthor } from '../articles/imported-article.js';
import { idOf, isPage, readGhost, textOf, type GhostRecord } from './ghost-records.js';

/** A row that links an article with a row of another table. */
interface Link {
  readonly id: string;
  readonly order: number;
}

/** The numbers of articles and pages, and the data of articles in other tables than `posts`. */
export interface GhostTables {
  /** Number of articles, without pages. */
  readonly postCount: number;
  readonly pageCount: number;
  tagsOf(post: GhostRecord): string[];
  authorsOf(post: GhostRecord): SourceAuthor[];
  /** The fields of an article with those of its row of `posts_meta`; old exports have them in `posts`. */
  metaOf(post: GhostRecord): GhostRecord;
}

const TABLES = ['tags.*', 'users.*', 'posts_tags.*', 'posts_authors.*', 'posts_meta.*'];
const FIELDS = ['posts.*.type', 'posts.*.page', 'posts.*.slug'];

/**
 * Reads everything of an export except the articles themselves.
 *
 * @throws OperatorError when the file cannot be read or is incomplete
 */
export async function readGhostTables(file: string): Promise<GhostTables> {
  const tags = new Map<string, string>();
  const users = new Map<string, SourceAuthor>();
  const tagLinks = new Map<string, Link[]>();
  const authorLinks = new Map<string, Link[]>();
  const metas = new Map<string, GhostRecord>();
  let [rowCount, pageCount] = [0, 0];
  const readers: Readonly<Record<string, (record: GhostRecord) => void>> = {
    tags: (record) => {
      const name = textOf(record, 'name');
      if (name !== null && !isInternal(record, name)) tags.set(idOf(record, 'id'), name);
    },
    users: (record) => {
      const [key, name, email] = ['slug', 'name', 'email'].map((field) => textOf(record, field));
      const user = { key: key ?? null, name: name ?? null, email: email ?? null };
      users.set(idOf(record, 'id'), user);
    },
    posts_tags: (record) => addLink(tagLinks, record, 'tag_id'),
    posts_authors: (record) => addLink(authorLinks, record, 'author_id'),
    posts_meta: (record) => metas.set(idOf(record, 'post_id'), record),
  };
  for await (const { table, key, value } of readGhost(file, [...TABLES, ...FIELDS])) {
    if (table !== 'posts') readers[table]?.(value as GhostRecord);
    else if (key === 'slug') rowCount += 1;
    else if (isPage({ [String(key)]: value })) pageCount += 1;
  }
  return {
    postCount: rowCount - pageCount,
    pageCount,
    tagsOf: (post) => linked(tagLinks, post).flatMap((id) => tags.get(id) ?? []),
    authorsOf: (post) => {
      const ids = [...linked(authorLinks, post), idOf(post, 'author_id')];
      return [...new Set(ids)].flatMap((id) => users.get(id) ?? []);
    },
    metaOf: (post) => ({ ...post, ...metas.get(idOf(post, 'id')) }),
  };
}

/** Whether a tag is internal: such tags are for themes, not for readers. */
function isInternal(record: GhostRecord, name: string): boolean {
  return name.startsWith('#') || record['visibility'] === 'internal';
}

function addLink(links: Map<string, Link[]>, record: GhostRecord, field: string): void {
  const post = idOf(record, 'post_id');
  const order = Number(record['sort_order'] ?? 0);
  const link = { id: idOf(record, field), order };
  links.set(post, [...(links.get(post) ?? []), link]);
}

function linked(links: ReadonlyMap<string, Link[]>, post: GhostRecord): string[] {
  const found = links.get(idOf(post, 'id')) ?? [];
  return found.toSorted((one, other) => one.order - other.order).map(({ id }) => id);
}
