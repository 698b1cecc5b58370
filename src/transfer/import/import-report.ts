/** An address of the former site, and the new address of its article. */
export interface Redirect {
  readonly from: string;
  readonly to: string;
}

export interface ReportLine {
  /** A file, the kind and id of an article in the source, or the email address of an author. */
  readonly source: string;
  readonly reason: string;
}

export interface AuthorByName {
  readonly name: string;
  /** The address of the account. */
  readonly email: string;
  /** Whether this import has created the account, or would in a dry run. */
  readonly isNew: boolean;
}

export interface LiveArticle {
  readonly source: string;
  readonly publishedAt: Date;
}

/** What an import has done, or would do. */
export interface ImportReport {
  readonly dryRun: boolean;
  published: number;
  /** The articles that readers see, with their times of publication. */
  readonly live: LiveArticle[];
  drafts: number;
  /** Numbers of drafts by the reason why they are drafts. */
  readonly draftReasons: Record<string, number>;
  /** Number of articles that an earlier run has imported. */
  alreadyThere: number;
  /** The file or folder with the authors; null for none. */
  readonly authorsFrom: string | null;
  /** Email addresses of the accounts that were created, or would be in a dry run. */
  readonly createdAuthors: string[];
  /** The disabled accounts of authors of whom only the name is known. */
  readonly authorsByName: AuthorByName[];
  /** Numbers of items that were only counted, by their kind. */
  readonly counts: Record<string, number>;
  /** Articles that were not imported. */
  readonly skipped: ReportLine[];
  /** Addresses of the former site that need a redirect, and where they should lead. */
  readonly redirects: Redirect[];
  /** Changes that were made to imported articles, and what else the operator should look at. */
  readonly changed: ReportLine[];
}

export function emptyReport(dryRun: boolean, authorsFrom: string | null = null): ImportReport {
  return {
    dryRun,
    published: 0,
    live: [],
    drafts: 0,
    draftReasons: {},
    alreadyThere: 0,
    authorsFrom,
    createdAuthors: [],
    authorsByName: [],
    counts: {},
    skipped: [],
    redirects: [],
    changed: [],
  };
}

export function addLive(report: ImportReport, article: LiveArticle): void {
  report.published += 1;
  report.live.push(article);
}

export function addDraft(report: ImportReport, reason: string): void {
  report.drafts += 1;
  increment(report.draftReasons, reason);
}

export function countOne(report: ImportReport, kind: string): void {
  increment(report.counts, kind);
}

function increment(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
