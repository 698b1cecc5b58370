import { Types, type mongo } from 'mongoose';
import { openBlogFixture, type BlogFixture, person } from '../core/fixture.js';
import type { Answer } from '../../support/client.js';
import { PASSWORD, type Person } from '../../support/factories.js';

export const NOT_AN_AUTHOR = 'user must be the id of an enabled user with the role AUTHOR';

type Owner = Pick<Person, '_id'>;

/** A server with an admin who hands blogs over. */
export class HandoverFixture {
  static async open(): Promise<HandoverFixture> {
    const base = await openBlogFixture();
    return new HandoverFixture(base, await person(base, 'ADMIN'));
  }

  private constructor(
    readonly base: BlogFixture,
    readonly admin: Person,
  ) {}

  async newAuthor(): Promise<Person> {
    return person(this.base, 'AUTHOR');
  }

  async handOver(id: string, { _id: user }: Owner): Promise<Answer<unknown>> {
    return this.admin.client.put(`/admin/blogs/id/${id}/author`, { user });
  }

  async handOverAll({ _id: from }: Owner, { _id: user }: Owner): Promise<Answer<unknown>> {
    return this.admin.client.put(`/admin/users/id/${from}/blogs/author`, { user });
  }

  /** Deletes the account. */
  async leave({ client }: Person): Promise<void> {
    const { status } = await client.delete('/profile/mine', { body: { password: PASSWORD } });
    if (status !== 200) throw new Error(`the account was not deleted: ${status}`);
  }

  async blogsOf({ _id }: Owner): Promise<mongo.WithId<mongo.Document>[]> {
    const author = new Types.ObjectId(_id);
    return this.base.db.collection('blogs').find({ author }).toArray();
  }
}
