import { HttpException, type INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Types } from 'mongoose';
import { AdminUserService } from '../../../../src/admin/admin-user.service.js';
import { NOBODY } from '../../../../src/events/audit/audit.service.js';
import { decodeJwt } from '../../../support/jwt.js';
import type { Answer, Step } from './rules.js';
import type { PersonalToken } from './state.js';

export const USER_AGENT = 'the model';

export interface TokenTexts {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** The predictable content of a token pair. */
export interface TokenFacts {
  readonly sub: unknown;
  readonly sid: unknown;
  readonly iat: unknown;
  readonly exp: unknown;
  readonly kid: unknown;
  /** Key, session and counter of the refresh token. */
  readonly refresh: readonly unknown[];
}

export interface Observed {
  /** The response without the text of its tokens. */
  readonly answer: Answer;
  readonly tokens?: TokenTexts & { readonly facts: TokenFacts };
  readonly personalToken?: Pick<PersonalToken, 'id' | 'text' | 'expiresAt'>;
  /** The secret of an app whose enrolment has begun. */
  readonly secret?: string;
}

/** One request: what it does in the model, and how it is sent to the server. */
export interface Operation {
  readonly label: string;
  readonly steps: readonly Step[];
  /** How many steps are done when the breakpoint holds the request; null when it has no breakpoint. */
  readonly stepsBeforeBreakpoint: number | null;
  readonly send: (app: NestFastifyApplication) => Promise<Observed>;
}

interface RequestOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly accessToken?: string;
  readonly body?: object;
}

interface Body {
  readonly code: string;
  readonly message: string;
  readonly data?: Partial<TokenTexts> & {
    readonly tokens?: TokenTexts;
    readonly job?: string;
    readonly token?: string;
    readonly _id?: string;
    readonly expiresAt?: string;
    readonly secret?: string;
    readonly recoveryCodes?: readonly string[];
  };
}

/**
 * Injects a request without a socket, so that the handler runs in the asynchronous context of the run
 * (simulation.ts). This also takes half the time.
 */
export async function request(
  app: NestFastifyApplication,
  { method, url, accessToken, body }: RequestOptions,
): Promise<Observed> {
  const response = await app.inject({
    method,
    url,
    headers: {
      'user-agent': USER_AGENT,
      ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
    },
    ...(body === undefined ? {} : { payload: body }),
  });
  const { code, message, data } = response.json<Body>();
  const { instruction } = response.headers;
  const answer = {
    status: response.statusCode,
    code,
    message,
    instruction: typeof instruction === 'string' ? instruction : null,
  };
  if (data?.token !== undefined) {
    const { token: text, _id: id = '', expiresAt = '' } = data;
    const personalToken = { id, text, expiresAt: Date.parse(expiresAt) };
    return { answer: { ...answer, data: undefined }, personalToken };
  }
  if (data?.secret !== undefined) {
    return { answer: { ...answer, data: undefined }, secret: data.secret };
  }
  if (data?.recoveryCodes) {
    return { answer: { ...answer, data: data.recoveryCodes.length } };
  }
  const pair = data?.tokens ?? data;
  if (pair?.accessToken === undefined || pair.refreshToken === undefined) {
    if (data?.job === undefined) return { answer: { ...answer, data } };
    // Each deletion has a job with an id of its own.
    const { job: _, ...known } = data;
    return { answer: { ...answer, data: known } };
  }
  const { accessToken: access, refreshToken } = pair;
  const tokens = { accessToken: access, refreshToken, facts: factsOf(access, refreshToken) };
  return { answer: { ...answer, data: undefined }, tokens };
}

/** Calls the service, because the token of an admin would depend on the clock of the run. */
export async function setEnabled(
  app: INestApplicationContext,
  id: string,
  enabled: boolean,
): Promise<Observed> {
  const answer = { instruction: null, data: undefined };
  try {
    await app.get(AdminUserService).setEnabled(new Types.ObjectId(id), enabled, NOBODY);
    return { answer: { status: 200, code: '10000', message: 'success', ...answer } };
  } catch (error) {
    if (!(error instanceof HttpException)) throw error;
    const { message } = error;
    return { answer: { status: error.getStatus(), code: '10001', message, ...answer } };
  }
}

function factsOf(accessToken: string, refreshToken: string): TokenFacts {
  const { header, claims } = decodeJwt(accessToken);
  const { sub, sid, iat, exp } = claims;
  const [, kid, session, counter] = refreshToken.split('.');
  return { sub, sid, iat, exp, kid: header['kid'], refresh: [kid, session, Number(counter)] };
}
