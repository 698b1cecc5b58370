import { Types, type mongo } from 'mongoose';
import { blogIn, person, type BlogInState, type Person } from '../../../support/factories.js';
import { startApp, type StartOptions, type TestApp } from '../../../support/start-app.js';
import { untilServing } from './barriers.js';

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
export async function openSecondServer(
  server: Fixture,
  options: StartOptions = {},
): Promise<TestApp> {
  return startApp({ uri: server.uri, ...options });
}

/** Creates a live blog and reads it, so that the server caches it. */
export async function cachedBlog(server: Fixture): Promise<BlogInState> {
  const blog = await blogIn('live', server.author, server.editor);
  await untilServing(server.app);
  const { status } = await server.client.get(`/blog/id/${blog._id}`);
  if (status !== 200) throw new Error(`the read of a live blog was answered with ${status}`);
  return blog;
}

/** The update by which another process takes a blog down, without a notice to the server. */
export const TAKE_DOWN = {
  $unset: { live: 1 },
  $set: { published: false, drafted: true },
} as const;

/** Takes a blog down as another process does. */
export function takeDown(
  db: mongo.Db,
  id: string,
  options: mongo.UpdateOptions = {},
): Promise<mongo.UpdateResult> {
  return db.collection('blogs').updateOne({ _id: new Types.ObjectId(id) }, TAKE_DOWN, options);
}
