import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { USER, USER_NAME } from '../../../src/user/schemas/user.cache.js';
import { Cache } from '../../../src/platform/caching/cache.js';
import { CacheCoherenceService } from '../../../src/platform/caching/cache-coherence.service.js';
import { CacheSubject } from '../../../src/platform/caching/cache-subject.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { untilServing } from './support/barriers.js';

describe('a cache', () => {
  let server: TestApp;
  let coherence: CacheCoherenceService;

  beforeAll(async () => {
    server = await startApp();
    coherence = server.app.get(CacheCoherenceService);
    await untilServing(server.app);
  });

  const cacheOf = (...dependsOn: CacheSubject[]): Cache<{ readonly name: string }> =>
    new Cache(coherence, { name: 'test', dependsOn, bounds: { max: 10 } });

  it('should not be made for a collection that the open change stream does not follow', () => {
    const subject = new CacheSubject('page', { name: 'pages', reported: {} });
    expect(() => cacheOf(subject)).toThrow('"page" is cached too late');
  });

  it('should not store what depends on a subject that it does not follow', () => {
    const cache = cacheOf(USER);
    const id = new Types.ObjectId().toHexString();
    const store = (dependsOn: CacheSubject): void =>
      cache.store(id, { value: { name: 'A' }, dependsOn: [dependsOn.record(id)] }, cache.begin());
    expect(() => store(USER_NAME)).toThrow('does not depend on the subject "user name"');
    store(USER);
    expect(cache.peek(id)).toEqual({ name: 'A' });
  });

  it('should follow every collection of the application, each once', () => {
    const names = coherence.collections.map(({ name }) => name);
    expect(names.toSorted()).toEqual(['api_keys', 'blogs', 'roles', 'sessions', 'tags', 'users']);
  });
});
