import { relay } from '../../blog/history/stored-events.js';
import { account, person, type Person } from '../../support/factories.js';
import { startApp, type StartOptions, type TestApp } from '../../support/start-app.js';

export interface Notice {
  readonly seq: number;
  readonly kind: string;
  readonly read: boolean;
  readonly text: string;
  readonly by?: { readonly _id: string; readonly name: string };
  readonly blog?: { readonly _id: string; readonly title?: string; readonly slug?: string };
  readonly comment?: string;
}

export interface Desk extends TestApp {
  readonly author: Person;
  readonly otherAuthor: Person;
  readonly editor: Person;
  readonly otherEditor: Person;
  readonly admin: Person;
}

/** A server with people at the desk, and an editor who is disabled. */
export async function openDesk(options: StartOptions = {}): Promise<Desk> {
  const server = await startApp(options);
  const [author, otherAuthor, editor, otherEditor, admin] = [
    await person(server, 'AUTHOR'),
    await person(server, 'AUTHOR'),
    await person(server, 'EDITOR'),
    await person(server, 'EDITOR'),
    await person(server, 'ADMIN'),
  ];
  const { email } = await account(server, 'EDITOR');
  await server.db.collection('users').updateOne({ email }, { $set: { status: false } });
  return { ...server, author, otherAuthor, editor, otherEditor, admin };
}

/** The notices of a person, after the outbox relay has run. */
export async function noticesOf(
  server: Pick<TestApp, 'app'>,
  { client }: Pick<Person, 'client'>,
  query = '',
): Promise<Notice[]> {
  await relay(server);
  const { status, body } = await client.get<Notice[]>(`/notices?limit=100${query}`);
  if (status !== 200) throw new Error(`no notices: ${body.message}`);
  return body.data;
}
