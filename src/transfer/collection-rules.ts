/** Tells what an export and a backup hold of a collection. */
export interface CollectionRule {
  /**
   * - `records`: the export holds the records, except the fields `without`.
   * - `secret`: the records are useful only with secrets, which no export holds.
   * - `derived`: an import derives the records from others.
   * - `passing`: the records are useless to another database, or useful for hours only.
   */
  readonly export: 'records' | 'secret' | 'derived' | 'passing';
  /** Paths that an export leaves out: secrets, what is derived, and what an import sets by itself. */
  readonly without?: readonly string[];
  /** Whether a backup holds the collection, and a restore takes it. */
  readonly isBackedUp: boolean;
  /**
   * Fields by which the server knows that a value is clean. An import and a restore take none of them from a file:
   * whoever wrote the file could claim anything.
   */
  readonly marks?: readonly string[];
}

/**
 * Every collection of this version. Those with `records` are in the order of an export: blogs come last, so that
 * an import that is killed before it reaches them leaves no article.
 */
export const COLLECTION_RULES: Readonly<Record<string, CollectionRule>> = {
  roles: { export: 'records', isBackedUp: true },
  users: { export: 'records', without: ['password', 'renamed.pictures'], isBackedUp: true },
  deleted_accounts: { export: 'records', without: ['picture'], isBackedUp: true },
  messages: { export: 'records', without: ['requestHash'], isBackedUp: true },
  // An imported webhook is switched off: its receiver does not know its new secret.
  webhooks: {
    export: 'records',
    without: ['secret', 'former', 'enabled', 'disabledReason', 'disabledAt', 'requestHash'],
    isBackedUp: true,
  },
  events: { export: 'records', isBackedUp: true },
  // What remains of the lists of an earlier version: when they changed. The migration takes it over.
  list_changes: { export: 'records', isBackedUp: true },
  lists: {
    export: 'records',
    without: ['count', 'folding', 'corrections'],
    isBackedUp: true,
  },
  blog_events: { export: 'records', isBackedUp: true },
  blog_comments: { export: 'records', without: ['requestHash', 'mentions'], isBackedUp: true },
  blog_revisions: { export: 'records', isBackedUp: true, marks: ['htmlVersion'] },
  blogs: {
    export: 'records',
    without: ['live.words', 'requestHash', 'publicChanges'],
    isBackedUp: true,
    marks: ['htmlVersion'],
  },
  // A backup holds the pictures, and an export their addresses in the articles. Their bytes may be in another store,
  // and would make lines of an export that no program reads.
  media: { export: 'derived', isBackedUp: true },
  media_files: { export: 'derived', isBackedUp: true },
  'pictures.files': { export: 'derived', isBackedUp: true },
  'pictures.chunks': { export: 'derived', isBackedUp: true },
  // What is sealed can be verified only with the signing keys.
  audit: { export: 'secret', isBackedUp: true },
  audit_seals: { export: 'secret', isBackedUp: true },
  api_keys: { export: 'secret', isBackedUp: true },
  sessions: { export: 'secret', isBackedUp: true },
  access_tokens: { export: 'secret', isBackedUp: true },
  blog_previews: { export: 'secret', isBackedUp: true },
  search_spellings: { export: 'derived', isBackedUp: true },
  // The counts of an earlier version.
  tags: { export: 'derived', isBackedUp: false },
  sitemap_parts: { export: 'derived', isBackedUp: false },
  // All migrations run after an import and a restore, whatever a file says about its records.
  migrations: { export: 'derived', isBackedUp: false },
  account_jobs: { export: 'passing', isBackedUp: true },
  factors: { export: 'secret', isBackedUp: true },
  known_devices: { export: 'secret', isBackedUp: true },
  provider_links: { export: 'secret', isBackedUp: true },
  // Both are useful only with tokens that are in mails.
  one_time_tokens: { export: 'secret', isBackedUp: true },
  invitations: { export: 'secret', isBackedUp: true },
  reserved_addresses: { export: 'passing', isBackedUp: true },
  notices: { export: 'passing', isBackedUp: true },
  notice_state: { export: 'passing', isBackedUp: true },
  mails: { export: 'passing', isBackedUp: true },
  webhook_deliveries: { export: 'passing', isBackedUp: true },
  removed_records: { export: 'passing', isBackedUp: true },
  foldings: { export: 'passing', isBackedUp: false },
  background_jobs: { export: 'passing', isBackedUp: false },
  beats: { export: 'passing', isBackedUp: false },
  rate_limits: { export: 'passing', isBackedUp: false },
};

/** The collections of an export, in its order. */
export const EXPORTED = Object.entries(COLLECTION_RULES)
  .filter(([, rule]) => rule.export === 'records')
  .map(([name]) => name);

/** Whether this version has the collection. */
export function isKnown(collection: string): boolean {
  return Object.hasOwn(COLLECTION_RULES, collection);
}

/**
 * Collections that this version does not know are backed up as well: a later version may restore them.
 */
export function isBackedUp(collection: string): boolean {
  return !isKnown(collection) || isRestored(collection);
}

/** Whether a restore takes the collection from a backup. */
export function isRestored(collection: string): boolean {
  return isKnown(collection) && COLLECTION_RULES[collection]?.isBackedUp === true;
}
