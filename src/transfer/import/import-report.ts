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

/** What an import has done, or would do. */
export interface ImportReport {
  readonly dryRun: boolean;
  published: number;
  drafts: number;
  /** Number of articles that an earlier run has imported. */
  alreadyThere: number;
  /** Email addresses of the accounts that were created, or would be in a dry run. */
  readonly createdAuthors: string[];
  /** Numbers of items that were only counted, by their kind. */
  readonly counts: Record<string, number>;
  /** Articles that were not imported. */
  readonly skipped: ReportLine[];
  /** Addresses of the former site that need a redirect, and where they should lead. */
  readonly redirects: Redirect[];
  /** Changes that were made to imported articles, and what else the operator should look at. */
  readonly changed: ReportLine[];
}

export function emptyReport(dryRun: boolean): ImportReport {
  return {
    dryRun,
    published: 0,
    drafts: 0,
    alreadyThere: 0,
    createdAuthors: [],
    counts: {},
    skipped: [],
    redirects: [],
    changed: [],
  };
}

export function countOne(report: ImportReport, kind: string): void {
  report.counts[kind] = (report.counts[kind] ?? 0) + 1;
}
