import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveDatabase } from '../../src/transfer/archive-database.js';
import { exportChunks } from '../../src/transfer/export/export-records.js';
import {
  importRecords,
  type ImportReport,
} from '../../src/transfer/import/pressroom/import-records.js';
import { InputFile } from '../../src/transfer/input-file.js';
import { validateEnv, type Env } from '../../src/platform/config/env.js';
import { withArchive } from '../../src/cli/commands/archive/with-archive.js';
import { relay } from '../blog/history/stored-events.js';
import { blogIn, person, STATES, type BlogInState, type Person } from '../support/factories.js';
import { uploaded } from '../support/media/pictures.js';
import { newPreview } from '../support/previews.js';
import { temporaryFolder } from '../support/process.js';
import { startApp, type TestApp } from '../support/start-app.js';

const noop = (): void => undefined;

export interface Newsroom {
  readonly server: TestApp;
  readonly folder: string;
  readonly people: Readonly<Record<'author' | 'editor' | 'admin', Person>>;
  readonly blogs: Readonly<Record<(typeof STATES)[number], BlogInState>>;
  /** The values that no export may contain. */
  readonly secrets: readonly string[];
}

/** A server with records in all collections that are exported, except `deleted_accounts`, and with secrets. */
export async function openNewsroom(): Promise<Newsroom> {
  const server = await startApp();
  const author = await person(server, 'AUTHOR');
  const editor = await person(server, 'EDITOR');
  const admin = await person(server, 'ADMIN');
  const states: [string, BlogInState][] = [];
  const { _id: media } = await uploaded(author.client);
  const cover = { media, alt: 'A cover', focus: { x: 0.5, y: 0.25 } };
  for (const state of STATES) {
    const picture = state === 'live' ? { cover } : {};
    states.push([state, await blogIn(state, author, editor, picture)]);
  }
  const blogs = Object.fromEntries(states) as Newsroom['blogs'];
  const trashed = await blogIn('live', author, editor);
  await author.client.delete(`/blog/author/id/${trashed._id}`);
  const times = { publishAt: new Date(Date.now() + 3_600_000).toISOString() };
  await editor.client.put(`/blog/editor/schedule/id/${blogs['in review']._id}`, times);
  const corrected = `/blog/editor/id/${blogs['live in review']._id}`;
  await editor.client.put(corrected, { title: 'Corrected' }, { headers: { 'if-match': '*' } });
  await admin.client.delete(`/admin/blogs/id/${blogs['live with draft']._id}/contributors`);
  const comment = { text: 'Why \u2028 not?' };
  await author.client.post(`/blog/author/comments/id/${blogs.draft._id}`, comment);
  await server.client.post('/contact', { type: 'hello', msg: 'line\nbreak\u2028 and "quotes"' });
  const hook = { url: 'https://hooks.example/a', events: ['blog.published'], enabled: true };
  const webhook = await admin.client.post<{ secret: string }>('/admin/webhooks', hook);
  const preview = await newPreview(author, 'author', blogs.draft._id);
  await relay(server);
  // One event stays in the outbox, and a removed blog leaves its tombstone.
  await blogIn('draft', author, editor);
  await author.client.delete(`/blog/author/trash/id/${trashed._id}`);
  const users = await server.db.collection('users').find().toArray();
  const [previews, webhooks, keys] = await Promise.all(
    ['blog_previews', 'webhooks', 'api_keys'].map((name) =>
      server.db.collection(name).find().toArray(),
    ),
  );
  return {
    server,
    folder: await temporaryFolder(),
    people: { author, editor, admin },
    blogs,
    secrets: [
      ...users.map(({ password }) => String(password)),
      ...[previews?.[0]?._id, webhooks?.[0]?.['secret'].data, keys?.[0]?.['key']].map(String),
      webhook.body.data.secret,
      preview,
      author.refreshToken,
    ],
  };
}

/** The settings of a command on the database of a server. */
function commandEnv({ env, uri }: Pick<TestApp, 'env' | 'uri'>): Env {
  const { JWT_PRIVATE_KEYS } = env;
  return validateEnv({ NODE_ENV: 'test', MONGODB_URI: uri, JWT_PRIVATE_KEYS });
}

/** Runs the work on the database of a server, as a command does. */
export function onDatabase<Result>(
  server: Pick<TestApp, 'env' | 'uri'>,
  work: (database: ArchiveDatabase) => Promise<Result>,
): Promise<Result> {
  return withArchive(work, commandEnv(server));
}

/** The export of a database, as text. @param onChunk called after each chunk */
export function exported(
  server: Pick<TestApp, 'env' | 'uri'>,
  onChunk: () => unknown = noop,
): Promise<string> {
  return onDatabase(server, (database) =>
    database.read({ isStopped: false }, async (session) => {
      let text = '';
      for await (const chunk of exportChunks(database, session, noop)) {
        text += chunk;
        await onChunk();
      }
      return text;
    }),
  );
}

/** Writes a text to a file, and imports the file. @param onRecords called after each batch */
export async function imported(
  { folder }: Pick<Newsroom, 'folder'>,
  target: TestApp,
  text: string,
  {
    isDryRun = false,
    onRecords = noop,
  }: { isDryRun?: boolean; onRecords?: (count: number) => void } = {},
): Promise<ImportReport> {
  const file = join(folder, 'import.ndjson');
  await writeFile(file, text);
  return onDatabase(target, (database) =>
    InputFile.use(file, (input) =>
      importRecords(database, input, { isDryRun, onRecords, onChecked: noop }),
    ),
  );
}

/** The records of an export: its lines without the first, which is the header. */
export function recordsOf(text: string): { collection: string; record: Record<string, unknown> }[] {
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as { collection: string; record: Record<string, unknown> });
}
