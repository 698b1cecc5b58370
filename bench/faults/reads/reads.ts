import { publishArticle, signInAdmin, signUpAuthor, type Article } from '../../support/newsroom.ts';
import { startBed, type Bed } from '../bed/bed.ts';
import type { Fault, Form, Row } from '../program.ts';
import { FAILOVERS, measureFailover } from './failover.ts';
import { prove } from './proof.ts';

const ELECTION_TIMEOUTS_MS: Readonly<Record<Form, readonly number[]>> = {
  reduced: [2_000],
  short: [2_000, 10_000],
  long: Array.from({ length: 5 }, () => [2_000, 10_000]).flat(),
};
const ARTICLES = 20;

/** Public reads go on while the replica set elects another primary. */
export const READS: Fault = {
  name: 'reads',
  isReduced: true,
  runsBesideOthers: false,
  async run(form) {
    const bed = await startBed();
    const { call } = bed.servers[0].process;
    const admin = await signInAdmin(call);
    const { token: author } = await signUpAuthor(call, 'author@faults.example', admin);
    const paths = await publishArticles(bed, { author, editor: admin });
    const rows: Row[] = [];
    for (const electionTimeoutMs of ELECTION_TIMEOUTS_MS[form]) {
      await bed.replicaSet.setElectionTimeout(electionTimeoutMs);
      for (const failover of FAILOVERS) {
        rows.push(await measureFailover(bed, failover, { paths, electionTimeoutMs, form }));
      }
    }
    await bed.replicaSet.setElectionTimeout(2_000);
    return [...rows, ...(await prove(bed, { admin, author }, form))];
  },
};

/** @returns paths to read: articles from the cache, articles and lists that no cache keeps, and the key */
async function publishArticles(
  { servers }: Bed,
  tokens: { readonly author: string; readonly editor: string },
): Promise<readonly string[]> {
  const { call } = servers[0].process;
  const paths: string[] = [];
  for (let at = 0; at < ARTICLES; at += 1) {
    const article: Article = {
      ...{ title: `Article ${at}`, description: 'For readers.', tags: ['read'] },
      draftText: `<p>The text of article ${at}.</p>`,
    };
    const { _id, slug } = await publishArticle(call, tokens, article);
    paths.push(
      ...[`/blog/slug/${slug}`, `/blog/id/${_id}?uncached`, '/blogs/latest', '/auth/verify/apikey'],
      ...[`/blogs/tag/read?page=${1 + (at % 2)}&uncached`],
    );
  }
  return paths;
}
