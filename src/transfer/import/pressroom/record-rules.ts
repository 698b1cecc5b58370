import type { Type } from '@nestjs/common';
import { PickType } from '@nestjs/swagger';
import type { mongo } from 'mongoose';
import { SignInDto } from '../../../auth/dto/sign-in.dto.js';
import {
  importedBlog,
  importedRevision,
  type Report,
} from '../../../blog/core/import/imported-record.js';
import { strippedRecord } from '../../../platform/text/stripped-record.js';
import { isStoredSlug } from '../../../blog/core/text/slug.js';
import { ALL_BLOGS, tagOf } from '../../../blog/public/counts/list-names.js';
import { CreateWebhookDto } from '../../../events/webhooks/dto/webhook.dto.js';
import type { Env } from '../../../platform/config/env.js';
import { effectiveRole } from '../../../platform/http/access/role-code.js';
import { declaredFields, parseRecord } from '../../../platform/http/input/parse-input.js';
import { Text } from '../../../platform/http/validation/text.decorator.js';
import { importedPicture } from '../../../platform/picture/imported-picture.js';
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

// An export may hold texts that an earlier version accepted: that show nothing, or a name like that of a
// deleted account. Their characters are not checked again, but those that control the output are removed.
const STORED = { example: '-', isCheckedByService: true } as const;

class PersonDto extends PickType(SignInDto, ['email']) {
  @Text({ ...STORED, min: 1, max: 200 })
  readonly name!: string;
}
class MessageDto {
  @Text({ ...STORED, min: 1, max: 50 })
  readonly type!: string;

  @Text({ ...STORED, min: 1, max: 2_000 })
  readonly msg!: string;
}
class CommentDto {
  @Text({ ...STORED, min: 1, max: 2_000, lines: 'many' })
  readonly text!: string;

  @Text({ ...STORED, min: 1, max: 300, optional: true })
  readonly quote?: string;
}
class HookDto extends PickType(CreateWebhookDto, ['url', 'events']) {}

/** Ids of events, and cache tags: visible ASCII without the comma that separates cache tags in a header. */
const TOKEN = /^[!-+\--~]{1,700}$/;
const ID = /^[0-9a-f]{24}$/;

/** The fields of a DTO, without characters that control the output. */
function parseStored(
  record: mongo.Document,
  dto: Type<object>,
  report: Report,
): Record<string, unknown> {
  const names = declaredFields(dto).filter((name) => record[name] !== undefined);
  const given = Object.fromEntries(names.map((name) => [name, record[name] as unknown]));
  return parseRecord(strippedRecord(given, report), dto);
}

/** The rules of the collections whose values the schemas do not bound. */
export const RECORD_RULES: Readonly<Record<string, RecordRule>> = {
  roles: (record) => {
    if (effectiveRole(String(record['code'])) === null) throw new Error('code is no role');
    return record;
  },
  users: (record, report) => {
    const { profilePicUrl, picture, ...person } = {
      ...record,
      ...parseStored(record, PersonDto, report),
    };
    const shown = picture === undefined ? {} : { picture: importedPicture(picture, 'picture') };
    const others = { ...person, ...shown };
    const { address } = strippedRecord({ address: profilePicUrl ?? '' }, report);
    if (address === '') return others;
    if (isHttpUrl(address)) return { ...others, profilePicUrl: address };
    report('profilePicUrl left out, it is no http or https URL');
    return others;
  },
  messages: (record, report) => ({ ...record, ...parseStored(record, MessageDto, report) }),
  webhooks: (record, report) => ({ ...record, ...parseStored(record, HookDto, report) }),
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
  list_changes: (record) => {
    if (!TOKEN.test(String(record['_id']))) throw new Error('_id is no cache tag');
    return { ...record, at: pastTime(record['at'] as Date) };
  },
  lists: (record) => {
    const list = String(record['_id']);
    const tag = tagOf(list);
    const isList = list === ALL_BLOGS || tag !== null || /^author:[0-9a-f]{24}$/.test(list);
    if (!isList || (record['tag'] ?? null) !== tag) throw new Error('_id is no list');
    const { changedAt } = record as { readonly changedAt?: Date };
    return { ...record, ...(changedAt ? { changedAt: pastTime(changedAt) } : {}) };
  },
  blog_comments: (record, report) => ({ ...record, ...parseStored(record, CommentDto, report) }),
  blog_revisions: (record, report, hosts) => importedRevision(record, hosts, report),
  blogs: (record, report, hosts) => importedBlog(record, hosts, report),
};

/** The time, or now if it is later: a later time would be the time of the feeds until then. */
function pastTime(time: Date): Date {
  return new Date(Math.min(time.getTime(), Date.now()));
}
