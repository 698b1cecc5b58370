import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { account } from '../../support/factories.js';
import { holdClock, HOUR, MINUTE, type HeldClock } from '../../support/time/clock.js';
import { until } from '../../support/time/wait.js';
import { openAuditFixture, type AuditFixture } from './fixture.js';

const UNKNOWN = 'nobody@example.org';

describe('refused sign-ins', () => {
  let fixture: AuditFixture;
  let clock: HeldClock | undefined;

  beforeAll(async () => {
    fixture = await openAuditFixture({ env: { TRUST_PROXY: '127.0.0.1' } });
  });

  afterEach(async () => {
    clock?.release();
    await fixture.records.deleteMany({});
  });

  async function refuse(email: string, times: number, address = '198.51.100.7'): Promise<void> {
    const client = fixture.server.client.with({ 'x-forwarded-for': address });
    const body = { email, password: 'another password' };
    const attempts = Array.from({ length: times }, () => client.post('/auth/signin/basic', body));
    for (const { status } of await Promise.all(attempts)) expect(status).toBe(401);
  }

  const stored = () => fixture.records.find().sort({ 'details.count': 1 }).toArray();

  /** The records, once so many sign-ins are counted: no request waits for its write. */
  const counted = (total: number) =>
    until(`${total} counted sign-ins`, async () => {
      const records = await stored();
      const sum = records.reduce((count, { details }) => count + (details?.count ?? 0), 0);
      return sum >= total && records;
    });

  it('should be counted by account and client prefix, and together for unknown addresses', async () => {
    const { _id, email } = await account(fixture.server);
    await refuse(email, 4);
    await refuse(email, 1, '203.0.113.1');
    await refuse(UNKNOWN, 1);
    await refuse('nobody.else@example.org', 1);
    const [subject, kind] = [new Types.ObjectId(_id), 'signin.refused'];
    expect(await counted(7)).toEqual([
      expect.objectContaining({
        kind,
        subject,
        clientPrefix: '203.0.113.0/24',
        details: { count: 1 },
      }),
      expect.not.objectContaining({ subject: expect.anything() }),
      expect.objectContaining({
        kind,
        subject,
        clientPrefix: '198.51.100.0/24',
        details: { count: 4 },
      }),
    ]);
    const text = JSON.stringify(await stored());
    for (const secret of [email, UNKNOWN, 'another password']) expect(text).not.toContain(secret);
  });

  it('should count a disabled account, even with its password', async () => {
    const { _id, email } = await account(fixture.server);
    await fixture.server.db.collection('users').updateOne({ email }, { $set: { status: false } });
    const body = { email, password: 'correct horse battery' };
    expect((await fixture.server.client.post('/auth/signin/basic', body)).status).toBe(401);
    expect(await counted(1)).toMatchObject([{ subject: new Types.ObjectId(_id) }]);
  });

  it('should be sealed only after their hour, and be counted anew in the next', async () => {
    const hour = Math.ceil(Date.now() / HOUR) * HOUR;
    clock = holdClock(fixture.server.app, hour + MINUTE);
    await refuse(UNKNOWN, 2);
    await counted(2);
    clock.advance(59 * MINUTE);
    await refuse(UNKNOWN, 1);
    await counted(3);
    expect(await fixture.seal()).toBeNull();
    clock.advance(10 * MINUTE);
    await fixture.seal();
    expect(await stored()).toMatchObject([
      { details: { count: 1 } },
      { details: { count: 2 }, seal: 1 },
    ]);
    expect(await fixture.verify()).toMatchObject({ findings: [], unsealed: 1 });
  });

  it('should not change a record that is sealed', async () => {
    await refuse(UNKNOWN, 1);
    const [before] = await counted(1);
    await fixture.records.updateOne({}, { $set: { sealableAt: new Date(0) } });
    await fixture.seal();
    await refuse(UNKNOWN, 1);
    await until('the warning', () => fixture.server.log.join('').includes('was not counted'));
    expect(await stored()).toMatchObject([{ _id: before?._id, details: { count: 1 } }]);
  });
});
