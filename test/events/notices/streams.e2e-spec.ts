import { connect } from 'node:net';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { NoticeStreams } from '../../../src/events/notices/stream/notice-streams.service.js';
import { relay } from '../../blog/history/stored-events.js';
import { blogIn, person, type Person } from '../../support/factories.js';
import { startApp } from '../../support/start-app.js';
import { SECOND } from '../../support/time/clock.js';
import { until } from '../../support/time/wait.js';
import { noticesOf, openDesk, type Desk, type Notice } from './fixture.js';

let desk: Desk;
let author: Person;

interface Stream {
  readonly status: number;
  readonly headers: Headers;
  text: string;
  isEnded: boolean;
}

const opened = new Set<AbortController>();

/** Opens a stream, and reads it until it ends or the test does. */
async function open(
  { headers: credentials }: Person['client'],
  { url = desk.url, headers = {} }: { url?: string; headers?: Record<string, string> } = {},
): Promise<Stream> {
  const controller = new AbortController();
  opened.add(controller);
  const response = await fetch(`${url}/notices/stream`, {
    headers: { ...credentials, ...headers },
    signal: controller.signal,
  });
  const { status, headers: received, body } = response;
  const stream: Stream = { status, headers: received, text: '', isEnded: false };
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of body ?? []) stream.text += decoder.decode(chunk as Uint8Array);
  })()
    .catch(() => undefined)
    .finally(() => (stream.isEnded = true));
  await until('the first line', () => stream.text !== '' || stream.isEnded);
  return stream;
}

const eventsOf = ({ text }: Stream): { id: string; data: Notice }[] =>
  [...text.matchAll(/id: (\d+)\nevent: notice\ndata: (.+)\n\n/g)].map(([, id = '', data = '']) => ({
    id,
    data: JSON.parse(data) as Notice,
  }));

async function returned(): Promise<string> {
  const { _id } = await blogIn('in review', author, desk.editor);
  await desk.editor.client.put(`/blog/editor/return/id/${_id}`, { note: 'No.' });
  await relay(desk);
  return _id;
}

const ended = (stream: Stream, withinMs = 20 * SECOND): Promise<true> =>
  until('the end of the stream', () => stream.isEnded, withinMs);

beforeAll(async () => {
  desk = await openDesk();
});

beforeEach(async () => {
  author = await person(desk, 'AUTHOR');
});

afterEach(() => {
  for (const controller of opened) controller.abort();
  opened.clear();
});

describe('GET /notices/stream', () => {
  it('should send the notices of the caller as they are made, as the list has them', async () => {
    const stream = await open(author.client);
    const foreign = await open(desk.otherAuthor.client);
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('cache-control')).toBe('no-store');
    expect(stream.text).toBe('retry: 3000\n\n');
    const blog = await returned();
    await until('the event', () => eventsOf(stream).length > 0);
    const [event] = eventsOf(stream);
    expect(event?.data.blog?._id).toBe(blog);
    expect(await noticesOf(desk, author)).toEqual([event?.data]);
    expect(event?.id).toBe(String(event?.data.seq));
    expect(eventsOf(foreign)).toEqual([]);
  });

  it('should resume after the last event, in order', async () => {
    const blogs = [await returned(), await returned(), await returned()];
    const [, , first] = await noticesOf(desk, author);
    const headers = { 'last-event-id': String(first?.seq) };
    const stream = await open(author.client, { headers });
    await until('the missed events', () => eventsOf(stream).length === 2);
    blogs.push(await returned());
    await until('the next event', () => eventsOf(stream).length === 3);
    expect(eventsOf(stream).map(({ data }) => data.blog?._id)).toEqual(blogs.slice(1));
  });

  it('should send what another process has made', async () => {
    const other = await startApp({ uri: desk.uri });
    const stream = await open(author.client, { url: other.url });
    const blog = await returned();
    await until('the event', () => eventsOf(stream).length > 0);
    expect(eventsOf(stream)[0]?.data.blog?._id).toBe(blog);
    await author.client.post('/auth/signout');
    await ended(stream);
    await other.close();
  });

  it.each([
    ['the session ends', () => author.client.post('/auth/signout')],
    [
      'the account is disabled',
      () => desk.admin.client.put(`/admin/users/id/${author._id}/status`, { enabled: false }),
    ],
  ])('should end within a second when %s', async (_what, end) => {
    const stream = await open(author.client);
    expect((await end()).status).toBe(200);
    await ended(stream, SECOND);
  });

  it('should end the oldest of six of a user', async () => {
    const streams: Stream[] = [];
    for (let count = 0; count < 5; count++) streams.push(await open(author.client));
    expect(streams.some(({ isEnded }) => isEnded)).toBe(false);
    const sixth = await open(author.client);
    await until('the end of the oldest', () => streams[0]?.isEnded);
    expect([...streams.slice(1), sixth].some(({ isEnded }) => isEnded)).toBe(false);
  });

  it('should cut off a client that does not read', async () => {
    const service = desk.app.get<{
      readonly streams: ReadonlySet<object>;
      send(stream: object, text: string): void;
    }>(NoticeStreams);
    const lines = Object.entries({ host: 'x', ...author.client.headers });
    const socket = connect(Number(new URL(desk.url).port), '127.0.0.1');
    socket.pause();
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`GET /notices/stream HTTP/1.1\r\n${head}\r\n`);
    const before = service.streams.size;
    await until('the stream', () => service.streams.size > before);
    const [stream = {}] = [...service.streams].slice(-1);
    await until('the end of the stream', () => {
      service.send(stream, `:${'x'.repeat(16_384)}\n`);
      return !service.streams.has(stream);
    });
    socket.destroy();
  });

  it('should end when the server stops', async () => {
    const other = await startApp({ uri: desk.uri });
    const stream = await open(author.client, { url: other.url });
    const startedAt = performance.now();
    await other.close();
    expect(performance.now() - startedAt).toBeLessThan(5 * SECOND);
    await ended(stream);
  });
});
