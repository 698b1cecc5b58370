import { Types, type mongo } from 'mongoose';
import type { RoleCode } from '../../src/platform/http/access/role-code.js';
import { hashSecret, SecretForm } from '../../src/platform/text/secret-form.js';
import { hashPreviewToken } from '../../src/blog/previews/preview-token.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../blog/core/fixture.js';
import { HOUR, holdClock } from '../support/time/clock.js';
import { account, blogIn, STATES, unknownId, type State } from '../support/factories.js';
import { PageKeyService } from '../../src/apikey/page-key.service.js';
import { openSession, type OpenSession } from '../support/sessions.js';
import { API_KEY } from '../support/start-app.js';
import { storeNotice } from '../routes/targets/notice-targets.js';
import { storeInvitation, storeJob, storeMedia, storePicture, storeWebhook } from './records.js';
import type { TargetKind } from '../routes/row.js';
import { TOKEN_NAMES, TOKENS, type Case, type KeyName, type TokenName } from './cases.js';

/** A user with two sessions and a blog for each target kind. Every token has an owner, also the invalid ones. */
interface Owner {
  readonly userId: string;
  readonly session: OpenSession;
  readonly otherSessionId: string;
  readonly factorId: string;
  readonly mediaId: string;
  /** A personal access token with all roles of the user, and its id. */
  readonly token: { readonly _id: string; readonly token: string };
  /** By target kind, deleted blogs included. The slug is that of the live version if there is one. */
  readonly blogs: ReadonlyMap<TargetKind, { readonly id: string; readonly slug: string }>;
}

export interface Fixture extends BlogFixture {
  readonly callers: Readonly<Record<TokenName, Owner>>;
  /** The owner of the targets that are "other's". */
  readonly otherOwner: Owner;
  readonly keyIds: Readonly<Record<KeyName, string>>;
  readonly webhookId: string;
  readonly jobId: string;
  readonly invitationId: string;
  /** The address of a picture that a live article shows, below `/media/`. */
  readonly picture: string;
}

/** The beginning of the names of personal access tokens; the rest is the name of the token of their owner's session. */
const PERSONAL = 'personal ';

/** Token of the other owner's preview. path-variants.e2e-spec.ts recognizes a parameter by its digits. */
const PREVIEW_TOKEN = 'preview-of-the-other-owner-0123456789-12345';

const KEY_VALUES: Readonly<Record<KeyName, string | null>> = {
  none: null,
  empty: '',
  unknown: 'a-key-of-nobody',
  'with a wrong checksum': `pr_${'A'.repeat(49)}`,
  'too long': 'k'.repeat(257),
  disabled: 'a-key-that-is-disabled',
  expired: 'a-key-that-has-expired',
  'without a scope': 'a-key-without-a-scope',
  good: API_KEY,
};

/**
 * Starts a server, and stores a key, a caller and a record for every value of the axes (cases.ts). The
 * blogs are copies of blogs that the API has brought into their states.
 */
export async function openFixture(): Promise<Fixture> {
  const base = await openBlogFixture();
  // The account page makes its key when it is first read.
  await base.app.get(PageKeyService).find();
  const originals = await storeOriginals(base);
  const callers = {} as Record<TokenName, Owner>;
  for (const name of TOKEN_NAMES.filter((each) => !each.startsWith(PERSONAL))) {
    callers[name] = await storeCaller(base, name, originals);
  }
  for (const name of TOKEN_NAMES.filter((each) => each.startsWith(PERSONAL))) {
    callers[name] = callers[name.replace(PERSONAL, '') as TokenName];
  }
  const otherOwner = await storeOwner(base, ['AUTHOR'], originals);
  const stored = {
    keyIds: await storeKeys(base),
    webhookId: await storeWebhook(base),
    jobId: await storeJob(base),
    invitationId: await storeInvitation(base),
  };
  const fixture = { ...base, callers, otherOwner, ...stored };
  await storePreview(base, otherOwner);
  // A revision of a copy has the slug of the original, and cannot be restored while the original has the slug.
  const author = new Types.ObjectId(base.author._id);
  await base.db.collection('blogs').deleteMany({ author });
  // The list of messages should not be empty.
  await base.client.post('/contact', { type: 'feedback', msg: 'Hello' });
  return { ...fixture, picture: await storePicture(base) };
}

/** The key and the token of a case, as headers. */
export function credentialsOf(
  { callers }: Fixture,
  { key, token }: Pick<Case, 'key' | 'token'>,
): Record<string, string> {
  const value = KEY_VALUES[key];
  const authorization = authorizationOf(callers[token], token);
  return { ...(value === null ? {} : { 'x-api-key': value }), ...authorization };
}

/** The parameter of the path in a case. */
export function parameterOf(fixture: Fixture, { route, key, token, target }: Case): string {
  const { parameter } = route;
  if (target === 'malformed') return 'no-id';
  if (target === 'unknown' || parameter === 'nothing') return unknownId();
  if (parameter === 'preview') return PREVIEW_TOKEN;
  const owner = target.startsWith("other's") ? fixture.otherOwner : fixture.callers[token];
  if (parameter === 'user') return owner.userId;
  if (parameter === 'session') return owner.otherSessionId;
  if (parameter === 'factor') return owner.factorId;
  if (parameter === 'media') return owner.mediaId;
  if (parameter === 'picture') return fixture.picture;
  if (parameter === 'token') return owner.token._id;
  // A webhook and a job belong to nobody.
  if (parameter === 'webhook') return fixture.webhookId;
  if (parameter === 'job') return fixture.jobId;
  if (parameter === 'invitation') return fixture.invitationId;
  // 'own' is the id of the case's key, or of the good key if that key is not stored.
  if (parameter === 'api key') return fixture.keyIds[target === 'own' ? key : 'disabled'];
  const blog = owner.blogs.get(target.replace("other's", 'own') as TargetKind);
  if (!blog) throw new Error(`no stored blog is ${target}`);
  return parameter === 'slug' ? blog.slug : blog.id;
}

function authorizationOf(
  { session: { accessToken }, token: { token: personalToken } }: Owner,
  token: TokenName,
): Record<string, string> {
  if (token === 'none') return {};
  if (token === 'malformed') return { authorization: 'Bearer not-a-token' };
  if (token.startsWith(PERSONAL)) return { authorization: `Bearer ${personalToken}` };
  const isForeign = token === 'with a foreign signature';
  const signed = isForeign ? `${accessToken.slice(0, -20)}${'A'.repeat(20)}` : accessToken;
  return { authorization: `Bearer ${signed}` };
}

type Originals = ReadonlyMap<TargetKind, mongo.WithId<mongo.Document>>;

async function storeOriginals(base: BlogFixture): Promise<Originals> {
  const { author, editor, db } = base;
  const originals = new Map<TargetKind, mongo.WithId<mongo.Document>>();
  const make = async (state: State): Promise<string> => (await blogIn(state, author, editor))._id;
  for (const state of STATES) {
    originals.set(`own ${state}`, await storedBlog(db, await make(state)));
    const deleted = await make(state);
    const { status } = await author.client.delete(`/blog/author/id/${deleted}`);
    if (status !== 200) throw new Error(`a blog that is ${state} cannot be deleted`);
    originals.set(`deleted ${state}`, await storedBlog(db, deleted));
  }
  return originals;
}

async function storeCaller(
  base: BlogFixture,
  name: TokenName,
  originals: Originals,
): Promise<Owner> {
  const { app, db } = base;
  const clock = name === 'expired' ? holdClock(app, Date.now() - HOUR) : null;
  const owner = await storeOwner(base, TOKENS[name].roles, originals);
  clock?.release();
  const _id = new Types.ObjectId(owner.userId);
  if (name === 'signed out') await owner.session.client.delete('/auth/signout');
  // The API makes both changes when it disables a user. Each of the two must be enough to end a session.
  const changes = { 'of a disabled user': { status: false }, 'of an earlier epoch': { epoch: 1 } };
  const change = Object.entries(changes).find(([candidate]) => candidate === name)?.[1];
  if (change) await db.collection('users').updateOne({ _id }, { $set: change });
  return owner;
}

async function storeOwner(
  base: BlogFixture,
  roles: readonly RoleCode[],
  originals: Originals,
): Promise<Owner> {
  const { db } = base;
  const user = await account(base);
  const _id = new Types.ObjectId(user._id);
  const stored = await db.collection('roles').find().toArray();
  const ownerRoles = stored.filter(({ code }) => roles.includes(code as RoleCode));
  const $set = { roles: ownerRoles.map((role) => role._id) };
  await db.collection('users').updateOne({ _id }, { $set });
  const session = await openSession(base, user);
  const { sid } = await openSession(base, user);
  const blogs = await storeCopies(db, _id, originals);
  const token = await storeToken(db, _id, roles);
  await storeNotice(base, user._id);
  const factor = { user: _id, kind: 'passkey', name: 'A key', createdAt: new Date() };
  const { insertedId } = await db.collection('factors').insertOne(factor);
  const signedInByIt = { $set: { factor: 'passkey' } };
  await db.collection('sessions').updateMany({ user: _id }, signedInByIt);
  const factorId = insertedId.toHexString();
  const mediaId = (await storeMedia(base, _id)).toHexString();
  return { userId: user._id, session, otherSessionId: sid, token, blogs, factorId, mediaId };
}

/** Stores a token without the API, by which a user without a role could make none. */
async function storeToken(
  db: mongo.Db,
  user: Types.ObjectId,
  roles: readonly RoleCode[],
): Promise<Owner['token']> {
  const token = new SecretForm('prt_').generate();
  const createdAt = new Date();
  const { insertedId } = await db.collection('access_tokens').insertOne({
    user,
    name: 'a token',
    tokenHash: hashSecret(token),
    roles,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + HOUR),
  });
  return { _id: insertedId.toHexString(), token };
}

async function storeCopies(
  db: mongo.Db,
  author: Types.ObjectId,
  originals: Originals,
): Promise<Owner['blogs']> {
  const copies = [...originals].map(([target, original]) => {
    const slugOfCopy = (slug: string): string => `${slug}-of-${author.toHexString()}`;
    const live = original['live'] as { slug: string } | undefined;
    const document = {
      ...original,
      _id: new Types.ObjectId(),
      author,
      createdBy: author,
      slug: slugOfCopy(original['slug'] as string),
      slugs: (original['slugs'] as string[]).map(slugOfCopy),
      ...(live ? { live: { ...live, slug: slugOfCopy(live.slug) } } : {}),
    };
    const slug = slugOfCopy(live?.slug ?? (original['slug'] as string));
    return { target, slug, document };
  });
  await db.collection('blogs').insertMany(copies.map(({ document }) => document));
  // A comment has the id of its blog, so that one id can stand for both parameters of a path.
  await db.collection('blog_comments').insertMany(
    copies.map(({ document: { _id } }) => ({
      _id,
      blog: _id,
      by: author,
      text: 'A comment',
      resolved: false,
      at: new Date(),
      rev: 1,
    })),
  );
  return new Map(
    copies.map(({ target, slug, document }) => [target, { id: document._id.toHexString(), slug }]),
  );
}

async function storePreview({ db }: BlogFixture, { userId, blogs }: Owner): Promise<void> {
  const now = Date.now();
  await db.collection<Record<string, unknown> & { _id: string }>('blog_previews').insertOne({
    _id: hashPreviewToken(PREVIEW_TOKEN),
    kind: 'author',
    generation: 0,
    issuer: new Types.ObjectId(userId),
    blog: new Types.ObjectId(blogs.get('own draft')?.id),
    createdAt: new Date(now),
    expiresAt: new Date(now + HOUR),
  });
}

async function storeKeys({ db }: BlogFixture): Promise<Fixture['keyIds']> {
  const keys = db.collection('api_keys');
  const good = await keys.findOne({ key: API_KEY });
  const disabled = { key: KEY_VALUES.disabled, status: false };
  const expired = { key: KEY_VALUES.expired, status: true, expiresAt: new Date(Date.now() - 1) };
  const withoutScope = { key: KEY_VALUES['without a scope'], status: true, scopes: [] };
  const { insertedIds } = await keys.insertMany([disabled, expired, withoutScope]);
  const goodId = String(good?._id);
  return {
    none: goodId,
    empty: goodId,
    unknown: goodId,
    'with a wrong checksum': goodId,
    'too long': goodId,
    disabled: String(insertedIds[0]),
    expired: String(insertedIds[1]),
    'without a scope': String(insertedIds[2]),
    good: goodId,
  };
}
