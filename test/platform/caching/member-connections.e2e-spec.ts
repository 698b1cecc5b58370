import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Connection } from 'mongoose';
import { MemberConnections } from '../../../src/platform/caching/failover/member-connections.js';
import type { MongoLocation } from '../../../src/platform/database/mongo-location.js';
import { atEnd } from '../../support/clean-up.js';
import { connect } from '../../support/mongo/mongo.js';
import { OwnMongo } from '../../support/mongo/own-mongo.js';

describe('a member of the replica set', () => {
  let member: OwnMongo;
  let members: MemberConnections;
  let host: string;

  beforeAll(async () => {
    member = await OwnMongo.create();
    const uri = member.uri('members');
    const client = await connect(uri);
    const main = { getClient: () => client } as unknown as Connection;
    ({ host } = new URL(uri));
    members = new MemberConnections(main, { uri } as MongoLocation);
    atEnd(() => members.onApplicationShutdown());
  });

  it('should be reached although it was out of reach when it was first asked', async () => {
    await member.stop();
    await expect(members.ask(host)).rejects.toThrow('ECONNREFUSED');
    await member.start();
    expect(await members.ask(host)).toMatchObject({ host });
  });

  it('should not be connected again after the shutdown', async () => {
    await members.onApplicationShutdown();
    await expect(members.ask(host)).rejects.toThrow('Client must be connected');
  });
});
