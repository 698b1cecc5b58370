import { atRate } from '../../support/timing.ts';

const PER_SECOND = 20;

/** A fault with its beginning and end, in milliseconds of `performance.now`. */
export interface FaultTime {
  readonly name: string;
  readonly at: number;
  readonly healedAt: number;
}

export interface Probe {
  readonly sentAt: number;
  readonly answeredAt: number;
  /** The status with its reason, or why there is none. A successful insert of the driver counts as `200`. */
  readonly result: string;
  readonly message: string;
}

/** Sends one write with this message. `index` is the number of the probe. @returns when it was answered, and how */
export type SendProbe = (
  message: string,
  index: number,
) => Promise<Pick<Probe, 'answeredAt' | 'result'>>;

/** Sends small writes at a fixed rate, each once, to measure when writes fail and when they succeed again. */
export class Prober {
  readonly probes: Probe[] = [];
  readonly #send: SendProbe;

  constructor(send: SendProbe) {
    this.#send = send;
  }

  async run(isOver: () => boolean): Promise<void> {
    await atRate(PER_SECOND, isOver, (index) => this.#probe(index));
  }

  /**
   * Finds the longest time in milliseconds between two successful answers that overlaps the fault. The time from the
   * beginning of the fault to the next answer would be too short: the former primary may still have answered.
   */
  longestOutage({ at, healedAt }: FaultTime): number {
    const answered = this.probes
      .filter(({ result }) => result === '200')
      .map(({ answeredAt }) => answeredAt)
      .toSorted((one, other) => one - other);
    const outages = [...answered, Infinity].map((end, index) => ({
      begin: answered[index - 1] ?? -Infinity,
      end,
    }));
    return Math.max(
      ...outages
        .filter(({ begin, end }) => begin <= healedAt && end >= at)
        .map(({ begin, end }) => end - begin),
    );
  }

  failuresBetween(from: number, to: number): readonly Probe[] {
    return this.probes.filter(
      ({ sentAt, answeredAt, result }) => answeredAt >= from && sentAt <= to && result !== '200',
    );
  }

  async #probe(index: number): Promise<void> {
    const sentAt = performance.now();
    const message = `probe ${index}`;
    this.probes.push({ sentAt, message, ...(await this.#send(message, index)) });
  }
}
