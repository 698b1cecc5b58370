import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Types } from 'mongoose';
import { openSession } from '../support/sessions.js';
import type { Answer, Client } from '../support/client.js';
import { person, type Person } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';

const LAST_ADMIN = {
  code: '10001',
  status: 400,
  message: 'the last enabled ADMIN cannot be demoted, disabled or deleted: make another one first',
  reason: 'last_admin',
};

type Change = (caller: Client, target: Pick<Person, '_id'>) => Promise<Answer<unknown>>;

const demote: Change = (caller, { _id }) =>
  caller.put(`/admin/users/id/${_id}/roles`, { roles: ['LEARNER'] });
const disable: Change = (caller, { _id }) =>
  caller.put(`/admin/users/id/${_id}/status`, { enabled: false });

describe('the last enabled ADMIN', () => {
  let server: TestApp;
  let admins: Person[];
  let adminRole: Types.ObjectId | undefined;
  let learnerRole: Types.ObjectId | undefined;

  beforeAll(async () => {
    server = await startApp();
    admins = [];
    for (let count = 0; count < 5; count++) admins.push(await person(server, 'ADMIN'));
    const roles = server.db.collection('roles');
    adminRole = (await roles.findOne({ code: 'ADMIN' }))?._id;
    learnerRole = (await roles.findOne({ code: 'LEARNER' }))?._id;
  });

  beforeEach(async () => {
    await makeAdmins(1);
  });

  const users = () => server.db.collection('users');
  const emails = (people: readonly Person[]) => people.map(({ email }) => email);

  /** Makes the first `count` of the five users enabled admins, and the others learners. */
  const makeAdmins = async (count: number): Promise<void> => {
    const enabled = { status: true, epoch: 0 };
    await users().updateMany(
      { email: { $in: emails(admins) } },
      { $set: { ...enabled, roles: [learnerRole] } },
    );
    await users().updateMany(
      { email: { $in: emails(admins.slice(0, count)) } },
      { $set: { ...enabled, roles: [learnerRole, adminRole] } },
    );
  };
  const countEnabledAdmins = () =>
    users().countDocuments({ roles: adminRole, status: { $ne: false } });
  const first = (): Person => admins[0] as Person;
  const accountOf = ({ email }: Person) => users().findOne({ email });

  it.each([
    ['demote', demote],
    ['disable', disable],
  ])('should not be able to %s themselves', async (_, change) => {
    const before = await accountOf(first());
    const { status, body } = await change(first().client, first());
    expect(body).toEqual(LAST_ADMIN);
    expect(status).toBe(400);
    expect(await accountOf(first())).toEqual(before);
    expect((await first().client.get('/admin/users')).status).toBe(200);
  });

  it('should be given other roles only together with ADMIN', async () => {
    const path = `/admin/users/id/${first()._id}/roles`;
    const roles = ['LEARNER', 'AUTHOR', 'EDITOR'];
    expect((await first().client.put(path, { roles })).body).toEqual(LAST_ADMIN);
    const { status } = await first().client.put(path, { roles: [...roles, 'ADMIN'] });
    expect(status).toBe(200);
  });

  it('should count as the last one although there are disabled admins', async () => {
    await makeAdmins(2);
    const [one, other] = admins as [Person, Person];
    expect((await disable(one.client, other)).status).toBe(200);
    expect((await demote(one.client, one)).body).toEqual(LAST_ADMIN);
    expect((await disable(one.client, one)).body).toEqual(LAST_ADMIN);
    await one.client.put(`/admin/users/id/${other._id}/status`, { enabled: true });
    expect((await demote(one.client, one)).status).toBe(200);
    expect(await countEnabledAdmins()).toBe(1);
  });

  it('should be protected only while there is no other enabled ADMIN', async () => {
    const [one, other] = admins as [Person, Person];
    expect((await demote(one.client, other)).status).toBe(200);
    await makeAdmins(2);
    expect((await demote(one.client, one)).status).toBe(200);
    expect((await one.client.get('/admin/users')).status).toBe(403);
    expect((await demote(other.client, other)).body).toEqual(LAST_ADMIN);
  });

  /** Some changes succeed. Others are refused with LAST_ADMIN, or because the caller just lost role or session. */
  const expectOutcomes = (answers: readonly Answer<unknown>[]): void => {
    for (const { status, body } of answers) {
      if (status === 400) expect(body).toEqual(LAST_ADMIN);
      else expect([200, 401, 403]).toContain(status);
    }
    expect(answers.some(({ status }) => status === 200)).toBe(true);
  };
  /** Opens a session for each of the first `count` users, because disabling ends sessions. */
  const sessionsOfFirst = (count: number): Promise<Client[]> =>
    Promise.all(
      admins.slice(0, count).map(async (admin) => (await openSession(server, admin)).client),
    );

  it.each([
    ['demote', demote, demote],
    ['disable', disable, disable],
    ['demote and disable', demote, disable],
  ])('should remain when two admins %s each other concurrently', async (_, change, otherChange) => {
    for (let round = 0; round < 3; round++) {
      await makeAdmins(2);
      const [one, other] = (await sessionsOfFirst(2)) as [Client, Client];
      const answers = await Promise.all([
        change(one, admins[1] as Person),
        otherChange(other, admins[0] as Person),
      ]);
      expectOutcomes(answers);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await countEnabledAdmins()).toBe(1);
    }
  });

  it.each([
    ['two', 2, demote, demote],
    ['five', 5, demote, disable],
  ])(
    'should remain when %s admins send twenty concurrent changes',
    async (_, count, change, otherChange) => {
      await makeAdmins(count);
      const clients = await sessionsOfFirst(count);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (__, index) => {
          const caller = clients[index % count] as Client;
          const target = admins[(index + 1) % count] as Person;
          return (index % 2 === 0 ? change : otherChange)(caller, target);
        }),
      );
      expectOutcomes(answers);
      expect(await countEnabledAdmins()).toBeGreaterThanOrEqual(1);
    },
  );
});
