import { PickType } from '@nestjs/swagger';
import type { mongo } from 'mongoose';
import { SignUpDto } from '../../../auth/dto/sign-up.dto.js';
import {
  importedBlog,
  importedRevision,
  type Report,
} from '../../../blog/core/import/imported-record.js';
import { isStoredSlug } from '../../../blog/core/text/slug.js';
import { CreateCommentDto } from '../../../blog/comments/dto/create-comment.dto.js';
import { SendMessageDto } from '../../../contact/send-message.dto.js';
import { CreateWebhookDto } from '../../../events/webhooks/dto/webhook.dto.js';
import type { Env } from '../../../platform/config/env.js';
import { effectiveRole } from '../../../platform/http/access/role-code.js';
import { parseRecord } from '../../../platform/http/input/parse-input.js';
import { isHttpUrl } from '../../../platform/http/validation/http-url.js';

/**
 * Checks a record that fits its schema, and brings it into the form that the API would have stored.
 *
 * @param report gets a message for each change that the operator should know of
 * @throws Error that says which field the API would refuse
 */
type RecordRule = (
  record: mongo.Document,
  report: Report,
  hosts: Env['EMBED_HOSTS'],
) => mongo.Document | Promise<mongo.Document>;

class PersonDto extends PickType(SignUpDto, ['email', 'name']) {}
class CommentDto extends PickType(CreateCommentDto, ['text', 'quote']) {}
class HookDto extends PickType(CreateWebhookDto, ['url', 'events']) {}

/** Ids of events, and cache tags: visible ASCII without the comma that separates cache tags in a header. */
const TOKEN = /^[!-+\--~]{1,700}$/;
const ID = /^[0-9a-f]{24}$/;

/** The rules of the collections whose values the schemas do not bound. */
export const RECORD_RULES: Readonly<Record<string, RecordRule>> = {
  roles: (record) => {
    if (effectiveRole(String(record['code'])) === null) throw new Error('code is no role');
    return record;
  },
  users: (record, report) => {
    const { profilePicUrl, ...others } = { ...record, ...parseRecord(record, PersonDto) };
    const picture = (profilePicUrl ?? '') as unknown;
    if (picture === '') return others;
    if (isHttpUrl(picture)) return { ...others, profilePicUrl: picture };
    report('profilePicUrl left out, it is no http or https URL');
    return others;
  },
  messages: (record) => ({ ...record, ...parseRecord(record, SendMessageDto) }),
  webhooks: (record) => ({ ...record, ...parseRecord(record, HookDto) }),
  events: (record) => {
    const { id, data } = record as { id: unknown; data: Record<string, unknown> };
    const { _id, cacheTags = [], slug, formerSlug } = data;
    const tokens: readonly unknown[] = [id, ...(cacheTags as unknown[])];
    if (!tokens.every((each) => TOKEN.test(String(each))))
      throw new Error('it has an id or cache tag that is none');
    if (!ID.test(String(_id))) throw new Error('data._id must be 24 hexadecimal characters');
    const slugs = [slug, formerSlug].filter((each) => each !== undefined);
    if (!slugs.every(isStoredSlug)) throw new Error('data holds what is no slug');
    return record;
  },
  blog_comments: (record) => ({ ...record, ...parseRecord(record, CommentDto) }),
  blog_revisions: (record, report, hosts) => importedRevision(record, hosts, report),
  blogs: (record, report, hosts) => importedBlog(record, hosts, report),
};
