import type {
  ImportReport,
  LiveArticle,
  ReportLine,
} from '../../../transfer/import/import-report.js';

/** Number of examples of each kind of line. */
const EXAMPLES = 3;

/** The report as text: what readers see now, then the rest, grouped by reason. */
export function reportLines(report: ImportReport): string[] {
  const { dryRun, drafts, draftReasons, alreadyThere, createdAuthors, authorsByName, counts } =
    report;
  return [
    dryRun ? 'Dry run: nothing was written. A run would report:' : 'Imported:',
    ...liveLines(report.live),
    ...(drafts > 0 ? [`  ${drafts} as drafts:`, ...draftLines(draftReasons)] : []),
    ...(alreadyThere > 0 ? [`  ${alreadyThere} were there already`] : []),
    ...Object.entries(counts).map(([kind, count]) => `  ${count} ${kind}`),
    ...(report.redirects.length > 0
      ? [`  ${report.redirects.length} former addresses need a redirect (--redirects FILE)`]
      : []),
    ...(report.authorsFrom === null ? [] : [`  authors as ${report.authorsFrom} names them`]),
    ...section('Accounts without a password (set one by "pressroom users password EMAIL"):', [
      ...createdAuthors,
    ]),
    ...section(
      'Disabled accounts for authors known by name only (tell their addresses by --authors FILE):',
      authorsByName.map(({ name, email }) => `${name}: ${email}`),
    ),
    ...section('Not imported:', grouped(report.skipped)),
    ...section('Look at:', grouped(report.changed)),
  ];
}

/** The lines in groups of the same kind, the largest first, each with its number and a few examples. */
export function grouped(lines: readonly ReportLine[]): string[] {
  const groups = Map.groupBy(lines, ({ reason }) => groupKeyOf(reason));
  const bySize = [...groups.values()].toSorted((one, other) => other.length - one.length);
  return bySize.flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined || others.length === 0) return group.map(textOf);
    const isSame = others.every(({ reason }) => reason === first.reason);
    if (isSame) {
      return [
        `${group.length} × ${first.reason}`,
        `  ${someOf(group.map(({ source }) => source))}`,
      ];
    }
    return [
      `${group.length} × ${kindOf(first.reason)}`,
      ...group.slice(0, EXAMPLES).map((line) => `  ${textOf(line)}`),
      ...andMore(group.length).map((more) => `  ${more}`),
    ];
  });
}

/** The reason without what differs between articles: numbers, times and quoted parts. */
function kindOf(reason: string): string {
  return reason
    .replace(/"[^"]*"(?:, "[^"]*")*/g, '"…"')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d+/g, '…');
}

/** The kind by which reasons are grouped: the same for one and for several things. */
function groupKeyOf(reason: string): string {
  return kindOf(reason).replace(/(\w{2})s\b/g, '$1');
}

function liveLines(live: readonly LiveArticle[]): string[] {
  if (live.length === 0) return ['  no article is live'];
  const days = live.map(({ publishedAt }) => publishedAt.toISOString().slice(0, 10)).sort();
  return [
    `  ${live.length} live, published from ${days[0]} to ${days.at(-1)}:`,
    `    ${someOf(live.map(({ source }) => source))}`,
  ];
}

function draftLines(reasons: ImportReport['draftReasons']): string[] {
  const lines = Object.entries(reasons).map(([reason, count]) => ({ kind: kindOf(reason), count }));
  const groups = Map.groupBy(lines, ({ kind }) => kind);
  return [...groups].map(
    ([kind, group]) => `    ${group.reduce((sum, { count }) => sum + count, 0)} × ${kind}`,
  );
}

function someOf(sources: readonly string[]): string {
  return [sources.slice(0, EXAMPLES).join(', '), ...andMore(sources.length)].join(' ');
}

function andMore(count: number): string[] {
  return count > EXAMPLES ? [`and ${count - EXAMPLES} more (--json lists all)`] : [];
}

function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [heading, ...lines.map((line) => `  ${line}`)];
}

function textOf({ source, reason }: ReportLine): string {
  return `${source}: ${reason}`;
}
