import { setTimeout as wait } from 'node:timers/promises';
import type { Testbed } from '../testbed/testbed.ts';
import { Client, Ledger, time } from '../testbed/client.ts';
import type { Member } from '../testbed/member.ts';
import { zero, type Finding } from '../../support/findings.ts';
import type { Tokens } from '../../support/newsroom.ts';
import type { Form } from '../program.ts';
import { Published } from '../shown/publisher.ts';
import { read, Seen } from '../shown/readers.ts';
import { TrackedArticle } from '../writes/tracked-article.ts';

const READERS_A_SERVER = 3;
const PAUSE_MS = 500;
const AFTERWARDS_MS = 2_500;

interface Stage {
  readonly testbed: Testbed;
  readonly primary: Member;
  /** Unpublishes the article on the first server, and resolves once that is acknowledged or found in the database. */
  readonly unpublish: () => Promise<void>;
}

/** Each causes a fault after which a member of the replica set could still show an unpublished article. */
const PROOFS: readonly {
  readonly fault: string;
  /** Whether the reduced form includes the fault. */
  readonly isInReducedForm: boolean;
  readonly run: (stage: Stage) => Promise<void>;
}[] = [
  {
    fault: 'lagging secondary, primary killed',
    isInReducedForm: true,
    async run({ testbed: { replicaSet }, primary, unpublish }) {
      const [lagging] = await replicaSet.secondaries();
      await lagging?.failPoint('rsSyncApplyStop', 'alwaysOn');
      await unpublish();
      await primary.kill();
      await wait(AFTERWARDS_MS);
      await lagging?.failPoint('rsSyncApplyStop', 'off');
      await replicaSet.primary(primary);
    },
  },
  {
    fault: 'paused primary comes back',
    isInReducedForm: false,
    async run({ testbed: { replicaSet }, primary, unpublish }) {
      await primary.suspend();
      await replicaSet.primary(primary);
      await unpublish();
      await wait(PAUSE_MS);
      primary.resume();
      await wait(AFTERWARDS_MS);
    },
  },
  {
    fault: 'paused primary comes back, one server reaches no other member',
    isInReducedForm: true,
    async run({ testbed: { replicaSet, network, servers }, primary, unpublish }) {
      const { name = 'other' } = servers[1] ?? {};
      const others = replicaSet.members.filter((member) => member !== primary);
      await network.disturb(
        ...others.map(({ party: member }) => ({
          member,
          effect: 'hold' as const,
          parties: [name],
        })),
      );
      await primary.suspend();
      await replicaSet.primary(primary);
      await unpublish();
      // The wait is longer than the 1 s for which the other server may still show the article.
      await wait(PAUSE_MS + 1_000);
      primary.resume();
      await wait(AFTERWARDS_MS);
    },
  },
];

/** Checks that readers of both servers never see an article whose unpublication was acknowledged. */
export async function prove(testbed: Testbed, tokens: Tokens, form: Form): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [at, { fault, isInReducedForm, run }] of PROOFS.entries()) {
    if (form === 'reduced' && !isInReducedForm) continue;
    console.error(`${time()} ${fault}`);
    const ledger = new Ledger();
    ledger.mayLose = true;
    const clients = testbed.servers.map(({ url }) => new Client(url, ledger));
    const [first] = clients as [Client];
    const marker = `proof${at}x`;
    const article = await TrackedArticle.create(() => first, tokens, { marker, tag: 'shown' });
    await article.change('submit');
    await article.change('publish');
    const published = new Published();
    published.articles.push(article);
    const seen = new Seen();
    let isOver = false;
    const readers = clients.flatMap((client) =>
      Array.from({ length: READERS_A_SERVER }, () =>
        read(seen, published, { client, isOver: () => isOver }),
      ),
    );
    await wait(PAUSE_MS);
    const unpublish = async () => {
      const made = await article.change('unpublish');
      const by = made?.how === 'acknowledged' ? first : null;
      published.hidden.push({ article, from: performance.now(), by, until: Infinity });
    };
    await run({ testbed, primary: await testbed.replicaSet.primary(), unpublish });
    await testbed.heal();
    await wait(PAUSE_MS);
    isOver = true;
    await Promise.all(readers);
    const violations = [...seen.afterAcknowledgement, ...seen.elsewhere, ...article.violations];
    findings.push(zero('an unpublished article is not shown', fault, violations, seen.reads));
  }
  return findings;
}
