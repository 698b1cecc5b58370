import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import type { Finding } from '../../../src/events/audit/seals/audit-verifier.service.js';
import { DAY, holdClock, type HeldClock } from '../../support/time/clock.js';
import { openAuditFixture, type AuditFixture } from './fixture.js';

describe('the audit log', () => {
  let fixture: AuditFixture;
  let clock: HeldClock;

  beforeAll(async () => {
    fixture = await openAuditFixture();
  });

  /** Two records under each of the seals 1, 2 and 3. */
  beforeEach(async () => {
    await Promise.all([fixture.records.deleteMany({}), fixture.seals.deleteMany({})]);
    clock = holdClock(fixture.server.app);
    for (let seal = 1; seal <= 3; seal += 1) {
      await fixture.record(2);
      await fixture.seal();
      clock.advance(1);
    }
  });

  afterEach(() => clock.release());

  const storedSeals = () => fixture.seals.find().sort({ _id: 1 }).toArray();
  const sealNumbers = async () => (await storedSeals()).map(({ _id }) => _id);
  const recordIn = async (seal: number) => {
    const record = await fixture.records.findOne({ seal });
    if (!record) throw new Error(`no record has the seal ${seal}`);
    return record;
  };
  const removeSeal = async (_id: number) => {
    await fixture.seals.deleteOne({ _id });
    await fixture.records.deleteMany({ seal: _id });
  };

  describe('its seals', () => {
    it('should cover all records, name each other, and stand in the log', async () => {
      const seals = await storedSeals();
      expect(seals).toMatchObject([
        { _id: 1, previous: '' },
        { _id: 2, previous: seals[0]?.mac },
        { _id: 3, previous: seals[1]?.mac },
      ]);
      const log = fixture.server.log.join('');
      for (const { _id, mac } of seals) expect(log).toContain(`audit seal ${_id}:${mac}`);
      await fixture.record(1);
      const newest = { number: 3, mac: seals[2]?.mac };
      const whole = { seals: 3, records: 6, unsealed: 1, newest, findings: [], unchecked: [] };
      expect(await fixture.verify()).toEqual(whole);
    });

    it('should not be made when there is nothing new', async () => {
      expect(await fixture.seal()).toBeNull();
      expect(await sealNumbers()).toEqual([1, 2, 3]);
    });

    it('should cover 1,000 records at most', async () => {
      const { seal: _, ...record } = await recordIn(1);
      const many = Array.from({ length: 1_001 }, () => ({ ...record, _id: new Types.ObjectId() }));
      await fixture.records.insertMany(many);
      await fixture.seal();
      const counts = (await storedSeals()).map(({ records = [] }) => records.length);
      expect(counts).toEqual([2, 2, 2, 1_000, 1]);
      expect(await fixture.verify()).toMatchObject({ seals: 5, unsealed: 0, findings: [] });
    });

    it('should be completed after a process was killed before it marked the records', async () => {
      await fixture.record(2);
      await fixture.seal(1);
      expect(await fixture.records.countDocuments({ seal: 4 })).toBe(0);
      expect(await fixture.verify()).toMatchObject({ seals: 4, findings: [] });
      await fixture.record(1);
      await fixture.seal();
      expect(await fixture.records.countDocuments({ seal: 4 })).toBe(2);
      expect(await fixture.verify()).toMatchObject({ seals: 5, unsealed: 0, findings: [] });
    });

    it('should cover each record once although two processes seal', async () => {
      await fixture.record(20);
      await Promise.all([fixture.seal(), fixture.seal(), fixture.record(5), fixture.seal()]);
      await fixture.seal();
      const { findings, records, unsealed } = await fixture.verify();
      expect({ findings, records, unsealed }).toEqual({ findings: [], records: 31, unsealed: 0 });
    });

    it('should be told apart when their signing key is not configured any more', async () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      const { uri } = fixture.server;
      const rotated = await openAuditFixture({ uri, env: { JWT_PRIVATE_KEYS: pem } });
      await rotated.record(1);
      await rotated.seal();
      expect(await rotated.verify()).toMatchObject({ findings: [], unchecked: [1, 2, 3] });
    });
  });

  /** What somebody with access to the database does, and what a verification then finds. */
  const FORGERIES: readonly (readonly [string, () => Promise<unknown>, readonly Finding[]])[] = [
    [
      'alters a record',
      async () => {
        const { _id } = await recordIn(2);
        await fixture.records.updateOne({ _id }, { $set: { 'details.enabled': false } });
      },
      [{ seal: 2, fault: 'altered' }],
    ],
    [
      'gives a record another actor',
      async () => {
        const { _id } = await recordIn(1);
        await fixture.records.updateOne({ _id }, { $set: { actor: new Types.ObjectId() } });
      },
      [{ seal: 1, fault: 'altered' }],
    ],
    [
      'removes a record',
      async () => fixture.records.deleteOne({ _id: (await recordIn(2))._id }),
      [{ seal: 2, fault: 'missing' }],
    ],
    [
      'removes a record, and its id from the seal',
      async () => {
        const { _id } = await recordIn(2);
        await fixture.records.deleteOne({ _id });
        await fixture.seals.updateOne({ _id: 2 }, { $pull: { records: _id } });
      },
      [{ seal: 2, fault: 'altered' }],
    ],
    [
      'adds a record to a seal',
      async () => fixture.records.insertOne({ ...(await recordIn(2)), _id: new Types.ObjectId() }),
      [{ seal: 2, fault: 'added' }],
    ],
    [
      'adds a record to a seal that does not exist',
      async () => {
        const record = { ...(await recordIn(2)), _id: new Types.ObjectId(), seal: 7 };
        await fixture.records.insertOne(record);
      },
      [{ seal: 7, fault: 'added' }],
    ],
    [
      'makes a seal older',
      () => fixture.seals.updateOne({ _id: 2 }, { $set: { sealedAt: new Date(0) } }),
      [{ seal: 2, fault: 'forged' }],
    ],
    [
      'removes the oldest seal with its records',
      () => removeSeal(1),
      [{ seal: 2, fault: 'broken' }],
    ],
    ['removes a seal with its records', () => removeSeal(2), [{ seal: 3, fault: 'broken' }]],
    [
      'removes the oldest seal, and claims that it has expired',
      async () => {
        const expiry = { at: new Date(), kid: fixture.server.env.JWT_ISSUER, mac: 'made up' };
        const { kid } = (await storedSeals())[1] ?? expiry;
        await removeSeal(1);
        await fixture.seals.updateOne({ _id: 2 }, { $set: { expiry: { ...expiry, kid } } });
      },
      [{ seal: 2, fault: 'forged' }],
    ],
  ];

  it.each(FORGERIES)('should show that somebody %s', async (_, forge, findings) => {
    await forge();
    expect((await fixture.verify()).findings).toEqual(findings);
  });

  it('should show a removed end if a seal of the log is given', async () => {
    const { mac = '' } = (await storedSeals())[2] ?? {};
    const logged = { number: 3, mac };
    expect((await fixture.verify(logged)).findings).toEqual([]);
    await removeSeal(3);
    expect((await fixture.verify()).findings).toEqual([]);
    expect((await fixture.verify(logged)).findings).toEqual([{ seal: 3, fault: 'gone' }]);
    // The server then makes another seal with the number.
    await fixture.record(1);
    await fixture.seal();
    expect((await fixture.verify(logged)).findings).toEqual([{ seal: 3, fault: 'gone' }]);
  });

  describe('after AUDIT_KEEP', () => {
    beforeEach(async () => {
      clock.advance(400 * DAY);
      await fixture.record(1);
      await fixture.seal();
    });

    it('should lose what has expired, and begin with the newest seal of it', async () => {
      const expired = { number: 2, mac: (await storedSeals())[1]?.mac ?? '' };
      expect(await fixture.expire()).toBe('audit records removed: 6');
      expect(await sealNumbers()).toEqual([3, 4]);
      expect(await fixture.verify(expired)).toMatchObject({ seals: 1, records: 1, findings: [] });
      expect(await fixture.expire()).toBeNull();
      await removeSeal(3);
      expect((await fixture.verify()).findings).toEqual([{ seal: 4, fault: 'broken' }]);
    });

    it.each([0, 1, 2])(
      'should hold after a removal that was killed after %d of its steps, and go on with it',
      async (steps) => {
        await fixture.expire(steps);
        expect((await fixture.verify()).findings).toEqual([]);
        await fixture.expire();
        expect([await sealNumbers(), await fixture.records.countDocuments()]).toEqual([[3, 4], 1]);
        expect((await fixture.verify()).findings).toEqual([]);
      },
    );

    it('should keep everything if the seal was altered', async () => {
      await fixture.seals.updateOne({ _id: 4 }, { $set: { sealedAt: new Date(0) } });
      await fixture.seals.updateOne({ _id: 3 }, { $set: { digest: 'another' } });
      await expect(fixture.expire()).rejects.toThrow('audit seal 3 was changed');
      expect(await fixture.records.countDocuments()).toBe(7);
    });
  });
});
