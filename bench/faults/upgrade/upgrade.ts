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
/** Milliseconds after the start of a run in which writers schedule publications; none except in the long form. */
const SCHEDULES_FOR_MS: Readonly<Record<Form, number>> = { reduced: 0, short: 0, long: 60_000 };
/** Number of requests a second, far fewer than two servers on two cores can answer. */
const RATE = 40;
/** Number of users. It is small, because the program checks that both versions agree, not how fast they are. */
const PEOPLE = { writers: 2, publishers: 2, readersAServer: 1 };
/** The election timeout in milliseconds: long enough that a busy machine causes no election. */
const ELECTION_MS = 10_000;
/** Minimum time in milliseconds for which both servers run after one of them was replaced. */
const BOTH_RUN_MS = 5_000;
const PROMISE = 'an upgrade is invisible';
const BAD_GATEWAY = `502 ${BY_BALANCER}`;

/**
 * Tests an upgrade without downtime, and the way back: two servers of the former version are replaced by this
 * version one after the other, and then by the former version again. The first new server migrates. Meanwhile both
 * versions run on one database: each reads and changes what the other has written.
 */
export const UPGRADE: Fault = {
  name: 'upgrade',
  isInReducedForm: false,
  async run(form) {
    try {
      return await upgrade(buildFormerVersion(), form);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      // The error becomes a finding, so that the findings of the other programs are still printed.
      return [{ what: PROMISE, measured: error.message, isMet: false }];
    }
  },
};

async function upgrade(checkout: string, form: Form): Promise<readonly Finding[]> {
  const ledger = new Ledger();
  let requests = 0;
  // Number of requests that the former version cut when it was stopped. It does not drain, so they are no complaints.
  let cutByFormer = 0;
  let balancerErrors = (): readonly string[] => [];
  const replace = (at: number, version: 'this' | 'former'): Disturbance => ({
    name: `server ${at} becomes ${version} version`,
    async run({ testbed, ledger: runLedger }) {
      // The clients of the run may lose answers, because they also ask servers directly; the mixed load may not.
      runLedger.mayLose = true;
      const server = testbed.servers[at];
      const countBefore = ledger.complaints.length;
      await server?.stop();
      if (version === 'this') {
        const newComplaints = ledger.complaints.splice(countBefore);
        const remaining = newComplaints.filter((complaint) => !complaint.includes(BAD_GATEWAY));
        ledger.complaints.push(...remaining);
        cutByFormer += newComplaints.length - remaining.length;
      }
      await server?.startAgain({ entry: entryOf(version === 'this' ? ROOT : checkout) });
      await wait(BOTH_RUN_MS);
    },
  });
  const run = await runFaults({
    faults: [replace(0, 'this'), replace(1, 'this'), replace(0, 'former'), replace(1, 'former')],
    writes: WRITES[form],
    schedulesForMs: SCHEDULES_FOR_MS[form],
    seed: chooseSeed(),
    testbed: { checkout, electionTimeoutMs: ELECTION_MS },
    people: PEOPLE,
    async prepareLoad({ balancer }) {
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
  const group = `from ${FORMER_COMMIT} and back`;
  const writes = run.ledger.acknowledged.length;
  const noFailure = zero('no request to the balancer fails', group, ledger.complaints, requests);
  return [
    explained(noFailure, balancerErrors()),
    ...storedFindings(run, group),
    ...shownFindings(run, group),
    zero('refusals are 503 with Retry-After', group, run.complaints, writes),
    zero('no server logs an uncaught error', group, run.serverErrors, requests),
  ];
}
