import { setTimeout as wait } from 'node:timers/promises';
import { explained, zero, type Finding } from '../../support/findings.ts';
import { cycled } from '../../support/statistics.ts';
import type { Fault, Form } from '../program.ts';
import { Client, Ledger, type Sent } from '../testbed/client.ts';
import { mixedRequests, sendAtRate } from '../testbed/mixed-load.ts';
import { startTestbed, type Testbed } from '../testbed/testbed.ts';
import { restart, type Restart } from './restart.ts';

const RESTARTS: Readonly<Record<Form, number>> = { reduced: 1, short: 5, long: 50 };
/** Number of requests a second. */
const RATE = 500;
/** Milliseconds before and after a restart, longer than the balancer's `fail_timeout` of 1 s. */
const PAUSE_MS = 2_500;
const EXIT_MS = 10_000;

/** Restarts one of two servers behind a load balancer while both are under load. */
export const ROLLING_RESTARTS: Fault = {
  name: 'restarts',
  isInReducedForm: false,
  async run(form) {
    const testbed = await startTestbed({ members: 1 });
    const { balancer, servers } = testbed;
    const requestAt = await mixedRequests(servers[0].call);
    const ledger = new Ledger();
    // The ledger must not report a lost answer, because the load counts it as a failure.
    ledger.mayLose = true;
    const clients = [new Client(balancer.url, ledger)];
    let isOver = false;
    const loaded = sendAtRate(clients, { rate: RATE, requestAt }, () => isOver);
    await wait(PAUSE_MS);
    const restarts: Restart[] = [];
    for (let at = 0; at < RESTARTS[form]; at += 1) {
      restarts.push(await restart(cycled(servers, at)));
      await wait(PAUSE_MS);
    }
    isOver = true;
    const { sent, failures, written } = await loaded;
    const group = `${restarts.length} restarts of one of two servers`;
    const exits = restarts.map(({ exitMs }) => exitMs);
    const violations = restarts.flatMap((each) => each.violations);
    return [
      explained(
        zero('no request fails during a restart', `${group}, nginx`, failures, sent),
        balancer.errors(),
      ),
      zero('a stop reports not ready, and cuts nothing', group, violations, restarts.length),
      {
        what: 'time from the signal to the exit',
        group,
        threshold: `≤ ${EXIT_MS / 1_000} s`,
        measured: `${(Math.max(...exits) / 1_000).toFixed(1)} s at most`,
        isMet: exits.every((ms) => ms <= EXIT_MS),
        history: exits.map((ms) => `${Math.round(ms)} ms`),
      },
      await storedOnce(testbed, written),
    ];
  },
};

/** Checks that each acknowledged message is stored once. */
async function storedOnce({ replicaSet }: Testbed, written: readonly Sent[]): Promise<Finding> {
  const primary = await replicaSet.primary();
  const texts = await primary.withClient(async (connection) => {
    const messages = connection.db('pressroom').collection('messages');
    return (await messages.find().toArray()).map(({ msg }) => String(msg));
  });
  const counts = Map.groupBy(texts, (text) => text);
  const violations = written.flatMap(({ body }) => {
    const { msg } = body as { msg: string };
    const count = counts.get(msg)?.length ?? 0;
    return count === 1 ? [] : [`"${msg}" is stored ${count} times`];
  });
  return zero('each acknowledged write is stored once', 'all restarts', violations, written.length);
}
