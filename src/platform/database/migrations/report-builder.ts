import type { MigrationReport } from './migration.js';

/** Maximum number of lines per kind. Further records are only counted. */
export const NAMED_RECORDS_MAX = 1_000;

/** A line about a record, and the kind under which it is counted. */
export interface RecordLine {
  readonly kind: string;
  readonly line: string;
}

/** Builds the report of a migration, with a bounded number of lines. */
export class ReportBuilder {
  private readonly counts = new Map<string, number>();
  private readonly changed = new LineList();
  private unresolved = new LineList();

  /** @param noun name of a record, such as `blog` */
  constructor(readonly noun: string) {}

  /** Counts a record with this kind of change. */
  count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  addChanged(line: RecordLine): void {
    this.changed.add(line);
  }

  addUnresolved(line: RecordLine): void {
    this.unresolved.add(line);
  }

  /**
   * Forgets the unresolved records. Call it before each round over the records, which adds those that are
   * still unresolved.
   */
  clearUnresolved(): void {
    this.unresolved = new LineList();
  }

  build(): MigrationReport {
    return {
      changed: [
        ...[...this.counts].map(([kind, count]) => `${this.countText(count)}: ${kind}`).sort(),
        ...this.changed.lines(this.noun),
      ],
      unresolved: this.unresolved.lines(this.noun),
    };
  }

  private countText(count: number): string {
    return `${count} ${this.noun}${count === 1 ? '' : 's'}`;
  }
}

/** Lines by kind, at most NAMED_RECORDS_MAX of each; `unnamed` counts the others of the kind. */
class LineList {
  private readonly kinds = new Map<string, { lines: string[]; unnamed: number }>();

  add({ kind, line }: RecordLine): void {
    const entry = this.kinds.get(kind) ?? { lines: [], unnamed: 0 };
    this.kinds.set(kind, entry);
    if (entry.lines.length < NAMED_RECORDS_MAX) entry.lines.push(line);
    else entry.unnamed += 1;
  }

  lines(noun: string): string[] {
    return [...this.kinds].flatMap(([kind, { lines, unnamed }]) =>
      unnamed === 0 ? lines : [...lines, `${kind}: ${unnamed} more ${noun}s`],
    );
  }
}
