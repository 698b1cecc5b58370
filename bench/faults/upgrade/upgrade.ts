import { setTimeout as wait } from 'node:timers/promises';
import { callServer, CREDENTIALS } from '../../../scripts/support/own-server.ts';
import { UserError } from '../../../scripts/support/user-error.ts';
import { explained, zero, type Finding } from '../../support/findings.ts';
import { mixedRequests, sendAtRate } from '../testbed/mixed-load.ts';
import { entryOf, ROOT } from '../../support/built.ts';
import { BY_BALANCER, Client, Ledger } from '../testbed/client.ts';
import type { Disturbance } from '../testbed/disturbances.ts';
import { chooseSeed, type Fault, type Form } from '../program.ts';
import { shownFindings } from '../shown/shown.ts';
import { runFaults } from '../writes/run.ts';
import { storedFindings } from '../writes/writes.ts';
import { buildFormerVersion, FORMER_COMMIT } from './former-version.ts';

const WRITES: Readonly<Record<Form, number>> = { reduced: 400, short: 400, long: 20_000 };
/** Milliseconds in which publications are scheduled (long form only). The last ones are due a minute later. */
const SCHEDULES_FOR_MS: Readonly<Record<Form, number>> = { reduced: 0, short: 0, long: 60_000 };
/** Number of requests a second, far fewer than two servers on two cores can answer. */
const RATE = 40;
/** Number of people. They are few, because the program tests whether the versions agree, not how much they can do. */
const PEOPLE = { writers: 2, publishers: 2, readersAServer: 1 };
/** Milliseconds before an election: none must be held because the machine is busy. */
const ELECTION_MS = 10_000;
/** Minimum of milliseconds for which two servers run beside each other after one was replaced. */
const BESIDE_MS = 5_000;
const PROMISE = 'an upgrade is invisible';
const OF_BALANCER = `502 ${BY_BALANCER}`;

/**
 * Tests an upgrade without downtime: two servers of the former version are replaced by this one,
 * one after the other, of which the first migrates, and then back again. Both versions run beside
 * each other on one database: each reads and changes what the other has written.
 */
export const UPGRADE: Fault = {
  name: 'upgrade',
  isReduced: false,
  async run(form) {
    try {
      return await upgrade(buildFormerVersion(), form);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      // The findings of the other programs are printed all the same.
      return [{ what: PROMISE, measured: error.message, isMet: false }];
    }
  },
};

async function upgrade(checkout: string, form: Form): Promise<readonly Finding[]> {
  const ledger = new Ledger();
  let requests = 0;
  // Connections that the former version has cut: it did not drain them yet, so that is no promise of this version.
  let cutByFormer = 0;
  let balancerErrors = (): readonly string[] => [];
  const replace = (at: number, version: 'this' | 'former'): Disturbance => ({
    name: `server ${at} becomes ${version} version`,
    async run({ testbed, ledger: direct }) {
      // Clients that ask a server directly have no other one; clients of the balancer do.
      direct.mayLose = true;
      const server = testbed.servers[at];
      const before = ledger.complaints.length;
      await server?.stop();
      if (version === 'this') {
        const since = ledger.complaints.splice(before);
        const others = since.filter((complaint) => !complaint.includes(OF_BALANCER));
        ledger.complaints.push(...others);
        cutByFormer += since.length - others.length;
      }
      await server?.startAgain({ entry: entryOf(version === 'this' ? ROOT : checkout) });
      await wait(BESIDE_MS);
    },
  });
  const run = await runFaults({
    faults: [replace(0, 'this'), replace(1, 'this'), replace(0, 'former'), replace(1, 'former')],
    writes: WRITES[form],
    schedulesForMs: SCHEDULES_FOR_MS[form],
    seed: chooseSeed(),
    testbed: { checkout, electionTimeoutMs: ELECTION_MS },
    people: PEOPLE,
    async beside({ balancer }) {
      const { url } = balancer;
      balancerErrors = balancer.errors;
      const requestAt = await mixedRequests((...call) =>
        callServer(url, CREDENTIALS.apiKey, ...call),
      );
      return async (isOver) => {
        const load = { rate: RATE, requestAt };
        requests = (await sendAtRate([new Client(url, ledger)], load, isOver)).sent;
      };
    },
  });
  console.error(`${FORMER_COMMIT} cut ${cutByFormer} requests when it was stopped`);
  const all = `from ${FORMER_COMMIT} and back`;
  const invisible = zero('no request to the balancer fails', all, ledger.complaints, requests);
  return [
    explained(invisible, balancerErrors()),
    ...storedFindings(run, all),
    ...shownFindings(run, all),
    zero('refusals are 503 with Retry-After', all, run.complaints, run.ledger.acknowledged.length),
    zero('every error of a server is handled', all, run.serverErrors, requests),
  ];
}
