import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BlogTransitionService } from '../../../src/blog/core/transitions/blog-transition.service.js';
import { FLAGS, storedBlog } from '../core/fixture.js';
import { blogIn, STATES } from '../../support/factories.js';
import { HandoverFixture, NOT_AN_AUTHOR } from './fixture.js';

describe('a handover while an account is deleted', () => {
  let fixture: HandoverFixture;

  beforeAll(async () => {
    fixture = await HandoverFixture.open();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  type Calls = Record<string, (...given: unknown[]) => Promise<unknown>>;

  /** Runs the work before, or after, the next transition is made. */
  function around(when: 'before' | 'after', work: () => Promise<unknown>): void {
    const service: object = fixture.base.app.get(BlogTransitionService);
    const transitions = service as Calls;
    const transition = transitions['apply']?.bind(transitions);
    const spy = jest.spyOn(transitions, 'apply').mockImplementation(async (...given) => {
      spy.mockRestore();
      if (when === 'before') await work();
      const result = await transition?.(...given);
      if (when === 'after') await work();
      return result;
    });
  }

  it.each(['before', 'after'] as const)(
    'should leave nothing unpublished when the new author leaves just %s the transition',
    async (when) => {
      const { author, editor } = fixture.base;
      for (const state of STATES) {
        const next = await fixture.newAuthor();
        const { _id, body, pending } = await blogIn(state, author, editor);
        around(when, () => fixture.leave(next));
        const { status, body: answer } = await fixture.handOver(_id, next);
        expect([status, answer.message]).toEqual([400, NOT_AN_AUTHOR]);
        const left = await fixture.blogsOf(next);
        expect(left.map((blog) => String(blog._id))).toEqual(FLAGS[state].published ? [_id] : []);
        expect(JSON.stringify(left)).not.toContain(pending.title);
        for (const blog of left) {
          expect(blog).toMatchObject({ ...FLAGS.live, title: body.title, authorLeft: true });
        }
      }
    },
  );

  it('should hand over what is left of a blog whose author leaves just before the transition', async () => {
    const { editor, db } = fixture.base;
    for (const state of STATES) {
      const [ada, next] = [await fixture.newAuthor(), await fixture.newAuthor()];
      const { _id, body, pending } = await blogIn(state, ada, editor);
      around('before', () => fixture.leave(ada));
      const { status } = await fixture.handOver(_id, next);
      const isLive = FLAGS[state].published;
      expect([state, status]).toEqual([state, isLive ? 200 : 404]);
      const left = await fixture.blogsOf(next);
      expect(left.map((blog) => String(blog._id))).toEqual(isLive ? [_id] : []);
      expect(JSON.stringify(left)).not.toContain(pending.title);
      if (isLive) expect(await storedBlog(db, _id)).toMatchObject({ title: body.title });
      expect(await fixture.blogsOf(ada)).toEqual([]);
    }
  });
});
