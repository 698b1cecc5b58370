/** Times in milliseconds, of the test's monotonic clock. */
interface Interval {
  /** Before the request was sent. */
  readonly start: number;
  /** After its answer had arrived. */
  readonly end: number;
}

interface Write extends Interval {
  readonly value: string;
  readonly process: number;
}

interface Read extends Interval {
  readonly register: string;
  readonly value: string;
  readonly process: number;
}

const INITIAL: Interval = { start: -Infinity, end: -Infinity };

/**
 * Records what was written and read, on which process, and when. A register is anything with one value
 * at a time. Its writes never overlap.
 */
export class History {
  private readonly writes = new Map<string, Write[]>();
  private readonly reads: Read[] = [];

  constructor(private readonly now: () => number = () => performance.now()) {}

  get counts(): { readonly reads: number; readonly writes: number } {
    const writes = [...this.writes.values()].reduce((sum, list) => sum + list.length - 1, 0);
    return { reads: this.reads.length, writes };
  }

  /** @param value what reads return before the first write */
  begin(register: string, value: string): void {
    this.writes.set(register, [{ ...INITIAL, value, process: -1 }]);
  }

  /** @param work sends the write; resolves when it is acknowledged */
  async write(
    register: string,
    process: number,
    value: string,
    work: () => Promise<unknown>,
  ): Promise<void> {
    const start = this.now();
    const versions = this.writes.get(register) ?? [];
    const write = { start, end: Infinity, value, process };
    versions.push(write);
    await work();
    versions[versions.length - 1] = { ...write, end: this.now() };
  }

  /** @param work resolves with the value that was read */
  async read(register: string, process: number, work: () => Promise<string>): Promise<void> {
    const start = this.now();
    const value = await work();
    this.reads.push({ register, process, value, start, end: this.now() });
  }

  /**
   * @param maxStalenessMs how long after a write was acknowledged other processes may return an older value
   * @returns a line for each wrong read: its value was not written yet, or was replaced by a write that the
   * same process had acknowledged, or that any process had acknowledged more than `maxStalenessMs` before
   */
  violations(maxStalenessMs: number): string[] {
    return this.reads.flatMap((read) => {
      const versions = this.writes.get(read.register) ?? [];
      const oldest = versions.findLastIndex(
        ({ end, process }) =>
          end <= read.start - maxStalenessMs || (process === read.process && end <= read.start),
      );
      const newest = versions.findLastIndex(({ start }) => start <= read.end);
      const allowed = versions.slice(Math.max(oldest, 0), newest + 1).map(({ value }) => value);
      return allowed.includes(read.value) ? [] : [lineFor(read, versions, allowed)];
    });
  }
}

function lineFor(read: Read, versions: readonly Write[], allowed: readonly string[]): string {
  const acknowledged = versions
    .filter(({ end }) => end <= read.start)
    .map(
      ({ value, end, process }) =>
        `${value} by ${process}, ${Math.round(read.start - end)} ms before`,
    );
  return (
    `${read.register}: process ${read.process} answered "${read.value}" instead of ` +
    `"${allowed.join('" or "')}" (${acknowledged.slice(-3).join('; ')})`
  );
}
