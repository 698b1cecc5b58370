import { setTimeout as wait } from 'node:timers/promises';

const EVERY_MS = 50;

export interface Probe {
  readonly sentAt: number;
  readonly answeredAt: number;
  /** `lost`, or the status with its reason. */
  readonly result: string;
  readonly message: string;
}

/** Sends one write with this message. @returns when it was answered, and the `result` of a Probe */
export type SendProbe = (
  message: string,
  at: number,
) => Promise<Pick<Probe, 'answeredAt' | 'result'>>;

/** Sends small writes at a fixed rate, each once, so that it sees when writes fail and when they come back. */
export class Prober {
  readonly probes: Probe[] = [];
  readonly #send: SendProbe;

  constructor(send: SendProbe) {
    this.#send = send;
  }

  async run(isOver: () => boolean): Promise<void> {
    const pending: Promise<void>[] = [];
    for (let at = 0; !isOver(); at += 1) {
      pending.push(this.#probe(at));
      await wait(EVERY_MS);
    }
    await Promise.all(pending);
  }

  /** How long after a fault the first write was answered 2xx that was sent after it. */
  firstSuccessAfter(faultAt: number): number {
    const answered = this.probes
      .filter(({ sentAt, result }) => sentAt >= faultAt && result === '200')
      .map(({ answeredAt }) => answeredAt);
    return Math.min(...answered) - faultAt;
  }

  failuresBetween(from: number, to: number): readonly Probe[] {
    return this.probes.filter(
      ({ sentAt, answeredAt, result }) => answeredAt >= from && sentAt <= to && result !== '200',
    );
  }

  async #probe(at: number): Promise<void> {
    const sentAt = performance.now();
    const message = `probe ${at}`;
    this.probes.push({ sentAt, message, ...(await this.#send(message, at)) });
  }
}
