import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { person, unique, type Person } from '../../../support/factories.js';
import { pictureFile, upload } from '../../../support/media/pictures.js';
import { startApp, type TestApp } from '../../../support/start-app.js';
import { storedPictures } from './raw-upload.js';

describe('An upload', () => {
  let server: TestApp;
  let author: Person;
  let jpeg: Buffer;

  beforeAll(async () => {
    server = await startApp({ env: { RATE_LIMITS: 'on', LIMIT_MEDIA: '3/1h' } });
    jpeg = await pictureFile('jpeg', 60, 40);
    author = await person(server, 'AUTHOR');
  });

  it('should happen once for an Idempotency-Key', async () => {
    const { client } = await person(server, 'AUTHOR');
    const headers = { 'idempotency-key': unique('key') };
    const before = await storedPictures(server);
    const first = await upload(client, jpeg, { alt: 'grey' }, { name: 'a.jpg', headers });
    const second = await upload(client, jpeg, { alt: 'grey' }, { name: 'a.jpg', headers });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.data._id).toBe(first.body.data._id);
    const after = await storedPictures(server);
    expect(after['media']).toBe((before['media'] ?? 0) + 1);
    expect(after['pictures.files']).toBe((before['pictures.files'] ?? 0) + 1);
    const other = await pictureFile('jpeg', 60, 40);
    const third = await upload(client, other, { alt: 'grey' }, { name: 'a.jpg', headers });
    expect([third.status, third.body.reason]).toEqual([422, 'idempotency_key_reused']);
  });

  it('should not come back by its Idempotency-Key', async () => {
    const { client } = await person(server, 'AUTHOR');
    const headers = { 'idempotency-key': unique('key') };
    const { body } = await upload(client, jpeg, {}, { name: 'a.jpg', headers });
    expect((await client.delete(`/media/id/${body.data._id}`)).status).toBe(200);
    const again = await upload(client, jpeg, {}, { name: 'a.jpg', headers });
    expect([again.status, again.body.reason]).toEqual([404, 'media_not_found']);
  });

  it('should be refused with 429 above LIMIT_MEDIA, for each account', async () => {
    const statuses = [];
    for (let each = 0; each < 4; each += 1)
      statuses.push((await upload(author.client, jpeg)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const other = await person(server, 'AUTHOR');
    expect((await upload(other.client, jpeg)).status).toBe(200);
  });

  it('should leave nothing of an account that is deleted meanwhile', async () => {
    const gone = await person(server, 'AUTHOR');
    expect((await upload(gone.client, jpeg)).status).toBe(200);
    await server.db.collection('users').deleteOne({ _id: new Types.ObjectId(gone._id) });
    const owner = new Types.ObjectId(gone._id);
    const count = () => server.db.collection('media').countDocuments({ owner });
    expect(await count()).toBe(1);
    const { status } = await upload(gone.client, jpeg);
    expect(status).toBe(401);
    expect(await count()).toBe(1);
  });
});
