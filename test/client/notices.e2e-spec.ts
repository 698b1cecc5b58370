import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient } from '../../client/src/index.ts';
import { followNotices, type Notice } from '../../client/src/notices.ts';
import { relay } from '../blog/history/stored-events.js';
import { openDesk, type Desk } from '../events/notices/fixture.js';
import { blogIn, PASSWORD, unique } from '../support/factories.js';
import { API_KEY } from '../support/start-app.js';
import { until } from '../support/time/wait.js';

/** The locks of a browser: one holder of a name at a time, in order. */
class Locks {
  private last: Promise<unknown> = Promise.resolve();

  request<Result>(
    _name: string,
    { signal }: { signal: AbortSignal },
    work: () => Promise<Result>,
  ): Promise<Result> {
    const turn = this.last.then(() => {
      signal.throwIfAborted();
      return work();
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

describe('followNotices', () => {
  let desk: Desk;
  let name: string;
  const pages: AbortController[] = [];
  const requests: Headers[] = [];
  let isOffline = false;

  /** A tab: the notices that it has got, and its end. */
  async function openTab() {
    const client = createClient({
      url: desk.url,
      apiKey: API_KEY,
      retries: 0,
      fetch: (input, init) => {
        const isStream = typeof input === 'string' && input.endsWith('/notices/stream');
        if (isStream && isOffline) return Promise.reject(new Error('offline'));
        if (isStream) requests.push(new Headers(init?.headers));
        return fetch(input, init);
      },
    });
    await client.signIn({ email: desk.author.email, password: PASSWORD });
    const page = new AbortController();
    pages.push(page);
    const got: Notice[] = [];
    const { signal } = page;
    const done = followNotices(client, (notice) => got.push(notice), { signal, name });
    return { client, got, page, done };
  }

  async function returned(): Promise<string> {
    const { _id } = await blogIn('in review', desk.author, desk.editor);
    await desk.editor.client.put(`/blog/editor/return/id/${_id}`, { note: 'No.' });
    await relay(desk);
    return _id;
  }

  const ofBlog = (notices: readonly Notice[], id: string): Notice[] =>
    notices.filter(({ blog }) => blog?._id === id);

  beforeAll(async () => {
    desk = await openDesk();
  });

  beforeEach(() => {
    name = unique('notices');
    requests.splice(0);
    isOffline = false;
    const value = { locks: new Locks() };
    Object.defineProperty(globalThis, 'navigator', { value, configurable: true });
  });

  afterEach(() => {
    for (const page of pages.splice(0)) page.abort();
    Reflect.deleteProperty(globalThis, 'navigator');
  });

  it('should read one stream for all tabs, and go on in another tab after the last notice', async () => {
    const first = await openTab();
    const second = await openTab();
    await until('the stream', () => requests.length === 1);
    const one = await returned();
    await until('the notice in both tabs', () => first.got.length + second.got.length === 2);
    expect(ofBlog(second.got, one)).toEqual(first.got);
    first.page.abort();
    await first.done;
    const two = await returned();
    await until('the next notice', () => second.got.length === 2);
    expect(ofBlog(second.got, two)).toHaveLength(1);
    expect(requests).toHaveLength(2);
    expect(requests[1]?.get('last-event-id')).toBe(String(first.got[0]?.seq));
  });

  it('should connect again when the stream has ended, and resume', async () => {
    const { got } = await openTab();
    await until('the stream', () => requests.length === 1);
    const one = await returned();
    await until('the notice', () => ofBlog(got, one).length === 1);
    isOffline = true;
    // Five streams of the user end this one, the oldest.
    const other = createClient({ url: desk.url, apiKey: API_KEY });
    await other.signIn({ email: desk.author.email, password: PASSWORD });
    const page = new AbortController();
    pages.push(page);
    for (let count = 0; count < 5; count++) {
      await other.openStream('/notices/stream', { signal: page.signal });
    }
    const two = await returned();
    isOffline = false;
    await until('the missed notice', () => ofBlog(got, two).length === 1);
    expect(ofBlog(got, one)).toHaveLength(1);
  });

  it('should end when nobody is signed in any more', async () => {
    const { client, done } = await openTab();
    await until('the stream', () => requests.length === 1);
    await client.delete('/auth/signout');
    await expect(done).rejects.toThrow(/signed in|ended|session/i);
  });
});
