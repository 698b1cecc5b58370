import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { person, type Person } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';

describe('GET /profile/id/:id', () => {
  let server: TestApp;
  let reader: Person;
  let ada: Person;

  beforeAll(async () => {
    server = await startApp();
    reader = await person(server);
    ada = await person(server, 'AUTHOR');
  });

  it('should return name and id only, without email address and roles', async () => {
    const { status, body, text, headers } = await reader.client.get(`/profile/id/${ada._id}`);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      code: '10000',
      status: 200,
      message: 'success',
      data: { _id: ada._id, name: ada.name },
    });
    expect(text).not.toContain(ada.email);
  });

  it('should show a picture that is set', async () => {
    const profilePicUrl = 'https://example.org/ada.png';
    await ada.client.put('/profile/mine', { profilePicUrl });
    expect((await reader.client.get(`/profile/id/${ada._id}`)).body.data).toEqual({
      _id: ada._id,
      name: ada.name,
      profilePicUrl,
    });
    await ada.client.put('/profile/mine', { profilePicUrl: null });
    expect((await reader.client.get(`/profile/id/${ada._id}`)).body.data).toEqual({
      _id: ada._id,
      name: ada.name,
    });
  });

  it('should not show the own email address either', async () => {
    const { body } = await ada.client.get(`/profile/id/${ada._id}`);
    expect(Object.keys(body.data)).toEqual(['_id', 'name']);
  });

  it('should find an id in upper case', async () => {
    const { body } = await reader.client.get(`/profile/id/${ada._id.toUpperCase()}`);
    expect(body.data).toMatchObject({ _id: ada._id });
  });

  it('should return 404 after the account was deleted', async () => {
    const { insertedId } = await server.db
      .collection('users')
      .insertOne({ email: 'gone@example.org', name: 'Gone', password: 'x', roles: [] });
    const path = `/profile/id/${insertedId.toHexString()}`;
    expect((await reader.client.get(path)).status).toBe(200);
    await server.db.collection('users').deleteOne({ _id: new Types.ObjectId(insertedId) });
    server.invalidateCaches();
    expect((await reader.client.get(path)).body).toEqual({
      code: '10001',
      status: 404,
      message: 'user not found',
      reason: 'user_not_found',
    });
  });
});
