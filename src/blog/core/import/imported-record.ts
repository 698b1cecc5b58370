import { OmitType } from '@nestjs/swagger';
import type { mongo } from 'mongoose';
import { parseRecord } from '../../../platform/http/input/parse-input.js';
import { Text } from '../../../platform/http/validation/text.decorator.js';
import { hasLength } from '../../../platform/http/validation/text-length.js';
import { isHttpUrl } from '../../../platform/http/validation/http-url.js';
import {
  compressFields,
  decompressFields,
  type RevisionFields,
} from '../../revisions/store/revision-fields.js';
import {
  BLOG_FIELDS,
  FIELD_NAMES,
  OPTIONAL_FIELDS,
  ruleOf,
  toWorkingCopy,
} from '../blog-fields.js';
import type { Schedule } from '../review.schema.js';
import { UpdateBlogDto } from '../dto/update-blog.dto.js';
import { cleanAndReport, htmlVersionOf, type CleanHtml } from '../html/clean-html.js';
import type { EmbedHosts } from '../html/policy/embeds.js';
import { markdownOf } from '../markdown/markdown-digest.js';
import { strippedRecord } from '../../../platform/text/stripped-record.js';
import { importedCover } from '../../media/cover/imported-cover.js';
import { pictureIdsIn } from '../../media/serving/picture-ids.js';
import { readingMinutes } from '../text/reading-minutes.js';
import { isStoredSlug } from '../text/slug.js';
import { FORMER_SLUGS_MAX } from '../transitions/live-version.js';

const ADDRESS_FIELDS = FIELD_NAMES.filter((name) => ruleOf(name).kind === 'address');

type Fields = Readonly<Record<string, unknown>>;

/** Reports a change that the operator should know of. */
export type Report = (change: string) => void;

/** A note that is stored: one that shows nothing may have been stored by an earlier version. */
class NoteDto {
  @Text({ min: 0, max: 2_000, lines: 'many', example: 'new', isCheckedByService: true })
  readonly note!: string;
}

/** The slug and the cover are checked apart: an import keeps them as they are stored. */
class PlainFieldsDto extends OmitType(UpdateBlogDto, ['slug', 'cover', 'draftText', '_id']) {}

/**
 * Checks and cleans the record of a blog. Whatever the record says, its texts are cleaned, and what the server derives
 * is derived again.
 *
 * @throws Error that says which field the API would refuse
 */
export function importedBlog(
  record: mongo.Document,
  hosts: EmbedHosts,
  report: Report,
): mongo.Document {
  if (record['removed'] === true) return tombstone(record);
  const { live, text, slug, slugs, formerSlugs = [], returned, submissionNote } = record as Fields;
  const notes = {
    ...(returned ? { returned: { ...returned, ...importedNote(returned as Fields, report) } } : {}),
    ...(submissionNote
      ? { submissionNote: importedNote({ note: submissionNote }, report)['note'] }
      : {}),
  };
  checkSlugs(formerSlugs as unknown[], 'formerSlugs', FORMER_SLUGS_MAX);
  checkSlugs(slugs as unknown[], 'slugs', FORMER_SLUGS_MAX + 2);
  const draftMarkdown = markdownOf(record);
  const draft = importedFields({ ...record, draftMarkdown }, hosts, report);
  const cleanText = text === null || text === undefined ? text : cleaned(text, hosts, report);
  return withoutUndefined({
    ...record,
    ...notes,
    markdownDigest: undefined,
    ...draft,
    // One that differs has no meaning.
    generatedSlug: record['generatedSlug'] === slug ? slug : undefined,
    text: cleanText as unknown,
    live: live ? importedLive(live as Fields, String(cleanText ?? ''), hosts, report) : undefined,
    dueAt: dueAt(record['schedule'] as Schedule | undefined),
  });
}

/**
 * Checks and cleans the content of a revision.
 *
 * @throws Error that says what is wrong
 */
export async function importedRevision(
  record: mongo.Document,
  hosts: EmbedHosts,
  report: Report,
): Promise<mongo.Document> {
  const compressed = record['fields'] as mongo.Binary;
  const stored = await decompressFields(compressed.buffer).catch((error: unknown) => {
    throw new Error('its fields cannot be read', { cause: error });
  });
  const unknown = Object.keys(stored).find((name) => !FIELD_NAMES.some((each) => each === name));
  if (unknown !== undefined) throw new Error(`its fields have no field "${unknown}"`);
  const clean = importedFields(stored, hosts, report);
  const fields = Object.fromEntries(
    FIELD_NAMES.filter((name) => clean[name] !== undefined).map((name) => [name, clean[name]]),
  ) as RevisionFields;
  const isSame = JSON.stringify(fields) === JSON.stringify(stored);
  return {
    ...record,
    title: fields.title ?? '',
    htmlVersion: htmlVersionOf(hosts),
    fields: isSame ? compressed : await compressFields(fields),
  };
}

/** @throws Error for what is no note */
function importedNote({ note }: Fields, report: Report): Record<string, unknown> {
  return parseRecord(strippedRecord({ note }, report), NoteDto);
}

/** The fields of a working copy that the record has, with their derived fields. */
function importedFields(stored: Fields, hosts: EmbedHosts, report: Report): Fields {
  // A migration stores '' for a text that an older record lacks, and reports it.
  const given = Object.fromEntries(
    FIELD_NAMES.filter((name) => (stored[name] ?? '') !== '').map((name) => [name, stored[name]]),
  );
  for (const name of ADDRESS_FIELDS) {
    if (given[name] === undefined || isHttpUrl(given[name])) continue;
    report(`${name} left out, it is no http or https URL`);
    delete given[name];
  }
  if (given['cover'] !== undefined && given['imgUrl'] !== undefined) {
    report('imgUrl left out, it has a cover');
    delete given['imgUrl'];
  }
  // Cleaning looks after the characters of the text.
  const { slug, cover, draftText, ...others } = given;
  if (slug !== undefined) checkSlugs([slug], 'slug');
  const version = htmlVersionOf(hosts);
  const copy = toWorkingCopy(
    {
      ...parseRecord(strippedRecord(others, report), PlainFieldsDto),
      ...(cover === undefined ? {} : { cover: importedCover(cover, report) }),
      ...(draftText === undefined ? {} : { draftText: cleaned(draftText, hosts, report) }),
    },
    version,
  );
  const left = Object.fromEntries(OPTIONAL_FIELDS.map((name) => [name, undefined]));
  const pictures = copy.pictures ?? undefined;
  return {
    ...left,
    ...copy,
    pictures,
    ...(slug === undefined ? {} : { slug }),
    htmlVersion: version,
  };
}

function importedLive(live: Fields, text: string, hosts: EmbedHosts, report: Report): Fields {
  const { htmlVersion: _, ...copy } = importedFields(live, hosts, report);
  return withoutUndefined({
    ...live,
    ...copy,
    readingMinutes: readingMinutes(text),
    pictures: pictureIdsIn(text) ?? undefined,
  });
}

/** @throws Error when the text is too long, before or after it was cleaned */
function cleaned(html: unknown, hosts: EmbedHosts, report: Report): CleanHtml {
  if (typeof html !== 'string') throw new Error('its text is no text');
  const { max, cleaned: bounds } = BLOG_FIELDS.draftText;
  const { html: clean, idLength } = hasLength(html, { min: 0, max })
    ? cleanAndReport(html, hosts)
    : { html: null, idLength: 0 };
  if (clean === null || !hasLength(clean, { min: 0, max: bounds.max + idLength })) {
    throw new Error(`its text has more than ${bounds.max} characters`);
  }
  if (clean !== html) report('text cleaned');
  return clean;
}

/** @throws Error when a removed blog has more than its events */
function tombstone(record: mongo.Document): mongo.Document {
  const { _id, removed, events, ...others } = record;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new Error(`a removed blog has no field "${other}"`);
  return { _id: _id as unknown, removed: removed as unknown, events: events as unknown };
}

/** The time of the next scheduled transition. */
function dueAt({ publish, unpublish }: Schedule = {}): Date | undefined {
  const times = [publish, unpublish].flatMap((each) => (each ? [each.at.getTime()] : []));
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}

/** Checks slugs. The migration brings those of an older version into their present form. */
function checkSlugs(slugs: readonly unknown[], path: string, max = Infinity): void {
  if (slugs.length > max) throw new Error(`${path} must have at most ${max} items`);
  if (!slugs.every(isStoredSlug)) throw new Error(`${path} holds what is no slug`);
}

function withoutUndefined(record: mongo.Document): mongo.Document {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
