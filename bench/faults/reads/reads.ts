import type { Finding } from '../../support/findings.ts';
import { openNewsroom, publishMany } from '../../support/newsroom.ts';
import { startTestbed } from '../testbed/testbed.ts';
import type { Fault, Form } from '../program.ts';
import { FAILOVERS, measureFailover } from './failover.ts';
import { prove } from './proof.ts';

const ELECTION_TIMEOUTS_MS: Readonly<Record<Form, readonly number[]>> = {
  reduced: [2_000],
  short: [2_000, 10_000],
  long: Array.from({ length: 5 }, () => [2_000, 10_000]).flat(),
};
const ARTICLES = 20;

/** Checks that public reads go on while the replica set elects another primary. */
export const READS: Fault = {
  name: 'reads',
  isInReducedForm: true,
  async run(form) {
    const testbed = await startTestbed();
    const { call } = testbed.servers[0];
    const tokens = await openNewsroom(call);
    const blogs = await publishMany(call, tokens, ARTICLES);
    // Articles and a list, each with and without the response cache, and the check of the API key.
    const paths = blogs.flatMap(({ _id, slug }, index) => [
      `/blog/slug/${slug}`,
      `/blog/id/${_id}?uncached`,
      '/blogs/latest',
      '/auth/verify/apikey',
      `/blogs/tag/read?page=${1 + (index % 2)}&uncached`,
    ]);
    const findings: Finding[] = [];
    for (const electionTimeoutMs of ELECTION_TIMEOUTS_MS[form]) {
      await testbed.replicaSet.setElectionTimeout(electionTimeoutMs);
      for (const failover of FAILOVERS) {
        const circumstances = { paths, electionTimeoutMs, form };
        findings.push(await measureFailover(testbed, failover, circumstances));
      }
    }
    await testbed.replicaSet.setElectionTimeout(2_000);
    return [...findings, ...(await prove(testbed, tokens, form))];
  },
};
