import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../bed/client.ts';
import { cycled } from '../../support/statistics.ts';

const EVERY_MS = 50;

export interface Probe {
  readonly sentAt: number;
  readonly answeredAt: number;
  /** `lost`, or the status with its reason. */
  readonly result: string;
  readonly message: string;
}

/** Sends small writes at a fixed rate, each once, so that it sees when writes fail and when they come back. */
export class Prober {
  readonly probes: Probe[] = [];
  readonly #clients: readonly Client[];

  constructor(clients: readonly Client[]) {
    this.#clients = clients;
  }

  async run(isOver: () => boolean): Promise<void> {
    const pending: Promise<void>[] = [];
    for (let at = 0; !isOver(); at += 1) {
      pending.push(this.#probe(cycled(this.#clients, at), at));
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

  async #probe(client: Client, at: number): Promise<void> {
    const sentAt = performance.now();
    const message = `probe ${at}`;
    const outcome = await client.send({
      method: 'POST',
      path: '/contact',
      body: { type: 'probe', msg: message },
      headers: { 'idempotency-key': randomUUID() },
    });
    const result =
      outcome.kind === 'lost'
        ? 'lost'
        : `${outcome.status}${outcome.reason && ` ${outcome.reason}`}`;
    this.probes.push({ sentAt, answeredAt: outcome.at, result, message });
  }
}
