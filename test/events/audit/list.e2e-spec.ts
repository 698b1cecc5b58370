import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import type { Answer } from '../../support/client.js';
import { person, unknownId, type Person } from '../../support/factories.js';
import { openAuditFixture, type AuditFixture } from './fixture.js';

const DAY_1 = '2026-01-01T00:00:00Z';
const DAY_2 = '2026-01-02T00:00:00Z';

interface Item {
  readonly _id: string;
  readonly at: string;
}

describe('GET /admin/audit', () => {
  let fixture: AuditFixture;
  let admin: Person;
  const [actor, subject] = [new Types.ObjectId(), new Types.ObjectId()];

  /** Five records of each day, two of them at the same time. */
  beforeAll(async () => {
    fixture = await openAuditFixture();
    admin = await person(fixture.server, 'ADMIN');
    for (const day of [DAY_1, DAY_2]) {
      const times = [0, 1, 2, 2, 3].map((seconds) => new Date(Date.parse(day) + seconds * 1_000));
      await fixture.records.insertMany(
        times.map((at, index) => ({
          _id: new Types.ObjectId(),
          at,
          kind: index === 0 ? ('key.created' as const) : ('user.status' as const),
          actor,
          subject: index === 1 ? subject : new Types.ObjectId(),
          sealableAt: at,
        })),
      );
    }
    await fixture.seal();
    // Many other records, which a query with a filter must not examine.
    await fixture.record(60);
  });

  /** The pages of the list, by the links. */
  async function pagesOf(query: string): Promise<Item[][]> {
    const pages: Item[][] = [];
    for (let next: string | undefined = query; next !== undefined;) {
      const answer: Answer<Item[]> = await admin.client.get(`/admin/audit${next}`);
      expect(answer.status).toBe(200);
      pages.push(answer.body.data);
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    return pages;
  }

  it.each([
    ['an actor', `actor=${actor.toHexString()}`, 10],
    ['an actor from a time', `actor=${actor.toHexString()}&from=${DAY_2}`, 5],
    ['a subject', `subject=${subject.toHexString()}`, 2],
    ['a subject up to a time', `subject=${subject.toHexString()}&to=${DAY_2}`, 1],
    ['a kind', 'kind=key.created', 2],
    ['a kind and two times', `kind=user.status&from=${DAY_1}&to=${DAY_2}`, 4],
    ['two times', `from=${DAY_1}&to=2026-01-03T00:00:00Z`, 10],
    ['no filter', 'from=2026-01-03T00:00:00Z', 60],
    ['an unknown actor', `actor=${unknownId()}`, 0],
  ])('should list the records of %s, page by page, newest first', async (_, query, count) => {
    const records = (await pagesOf(`?${query}&limit=3`)).flat();
    const stored = records.map(({ at, _id }) => `${at} ${_id}`);
    expect(stored).toEqual([...new Set(stored)].sort().reverse());
    expect(records).toHaveLength(count);
    // A larger page has the same records in the same order.
    expect((await pagesOf(`?${query}&limit=100`)).flat()).toEqual(records);
  });

  it('should tell which records are sealed', async () => {
    const { body: old } = await admin.client.get(`/admin/audit?to=${DAY_2}`);
    expect(old.data).toEqual(
      Array.from({ length: 5 }, () => expect.objectContaining({ sealed: true })),
    );
    const { body: recent } = await admin.client.get('/admin/audit?limit=1');
    expect(recent.data).toMatchObject([{ sealed: false }]);
  });

  it.each([
    ['two filters', `actor=${actor.toHexString()}&kind=user.roles`],
    ['an unknown kind', 'kind=user.renamed'],
    ['a malformed id', 'subject=1'],
    ['a made-up cursor', 'cursor=abc'],
  ])('should refuse %s', async (_, query) => {
    const { status, body } = await admin.client.get(`/admin/audit?${query}`);
    expect([status, body.reason]).toEqual([400, 'invalid_parameter']);
  });
});
