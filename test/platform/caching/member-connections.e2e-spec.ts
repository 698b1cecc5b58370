import { expect, it } from '@jest/globals';
import type { Connection } from 'mongoose';
import { MemberConnections } from '../../../src/platform/caching/failover/member-connections.js';
import type { MongoLocation } from '../../../src/platform/database/mongo-location.js';
import { atEnd } from '../../support/clean-up.js';
import { connect } from '../../support/mongo/mongo.js';
import { OwnMongo } from '../../support/mongo/own-mongo.js';

it('should reach a member that was out of reach when it was first asked', async () => {
  const member = await OwnMongo.create();
  const uri = member.uri('members');
  const { host } = new URL(uri);
  const client = await connect(uri);
  const main = { getClient: () => client } as unknown as Connection;
  const members = new MemberConnections(main, { uri } as MongoLocation);
  atEnd(() => members.onApplicationShutdown());
  await member.stop();
  await expect(members.ask(host)).rejects.toThrow('ECONNREFUSED');
  await member.start();
  expect(await members.ask(host)).toMatchObject({ host });
});
