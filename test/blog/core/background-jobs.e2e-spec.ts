import { describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { blogIn } from '../../support/factories.js';
import { OwnMongo } from '../../support/mongo/own-mongo.js';
import { startApp } from '../../support/start-app.js';
import { DAY } from '../../support/time/clock.js';
import { until } from '../../support/time/wait.js';
import { eventsStored } from '../history/stored-events.js';
import { contentCount, makeDue } from '../revisions/store/kept-revisions.js';
import { dueBlog } from '../schedule/fixture.js';
import { openBlogFixture, storedBlog } from './fixture.js';

const MAX_DELAY_MS = 5_000;

describe('a server that starts after a downtime', () => {
  it.each(['a replica set', 'a standalone'])(
    'should run the due background jobs of blogs without a request, on %s',
    async (kind) => {
      const mongod = kind === 'a standalone' ? await OwnMongo.createStandalone() : null;
      const fixture = await openBlogFixture(mongod ? { uri: mongod.uri('jobs') } : {});
      const { author, editor, db } = fixture;
      const blogs = db.collection('blogs');
      const byId = (id: string) => ({ _id: new Types.ObjectId(id) });
      const due = [await dueBlog(fixture), await dueBlog(fixture, 'live')];
      const { _id: live } = await blogIn('live', author, editor);
      const { _id: gone } = await blogIn('live', author, editor);
      await blogs.deleteOne(byId(gone));
      // Makes the sweep due for the contents of the blog that is gone.
      await makeDue(db);
      const { _id: trashed } = await blogIn('draft', author, editor);
      await author.client.delete(`/blog/author/id/${trashed}`);
      await blogs.updateOne(byId(trashed), {
        $set: { trashedAt: new Date(Date.now() - 60 * DAY) },
      });

      const server = await startApp({ uri: fixture.uri, background: true });
      const startedAt = Date.now();
      const dueBlogs = async () => Promise.all(due.map((id) => storedBlog(db, id)));
      await until('the due transitions', async () =>
        (await dueBlogs()).every(({ schedule }) => !schedule),
      );
      expect(Date.now() - startedAt).toBeLessThan(MAX_DELAY_MS);
      await until('the sweep', async () => (await contentCount(db, gone)) === 0);
      await until('the purge', async () => !(await blogs.findOne(byId(trashed)))?.['slug']);
      await until('the outbox relay', async () => (await eventsStored(db, live)).length === 3);
      for (const logged of ['events stored: ', 'removed: 1']) {
        await until(logged, () => server.log.some((line) => line.includes(logged)));
      }
      expect(server.log.filter((line) => line.includes('failed'))).toEqual([]);
      await server.close();
      await fixture.close();
    },
    60_000,
  );
});
