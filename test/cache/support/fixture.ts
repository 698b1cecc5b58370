import { person, type Person } from '../../support/factories.js';
import { startApp, type StartOptions, type TestApp } from '../../support/start-app.js';

/** A server with people who may do everything that the scenes need. */
export interface Stage extends TestApp {
  readonly author: Person;
  /** An editor who is an admin as well. */
  readonly editor: Person;
}

export async function openStage(options: StartOptions = {}): Promise<Stage> {
  const server = await startApp(options);
  try {
    const author = await person(server, 'AUTHOR');
    const editor = await person(server, 'EDITOR', 'ADMIN');
    return { ...server, author, editor };
  } catch (error) {
    // Or jest would wait for its connections for ever.
    await server.close();
    throw error;
  }
}

/** Another server on the same database. */
export async function openSecond(stage: Stage, options: StartOptions = {}): Promise<TestApp> {
  return startApp({ uri: stage.uri, ...options });
}
