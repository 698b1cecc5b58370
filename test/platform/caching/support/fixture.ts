import { person, type Person } from '../../../support/factories.js';
import { startApp, type StartOptions, type TestApp } from '../../../support/start-app.js';

/** A server with an author and an editor who are signed in. */
export interface Fixture extends TestApp {
  readonly author: Person;
  /** An editor who is an admin as well. */
  readonly editor: Person;
}

export async function openFixture(options: StartOptions = {}): Promise<Fixture> {
  const server = await startApp(options);
  const author = await person(server, 'AUTHOR');
  const editor = await person(server, 'EDITOR', 'ADMIN');
  return { ...server, author, editor };
}

/** Another server on the same database. */
export async function openSecond(server: Fixture, options: StartOptions = {}): Promise<TestApp> {
  return startApp({ uri: server.uri, ...options });
}
