import { inspect, isDeepStrictEqual } from 'node:util';
import type { Observed, Operation, TokenFacts } from './requests.js';
import type { RequestState, Outcome } from './rules.js';
import { at, copyOf, type State } from './state.js';

/** An operation that the model has begun. */
export interface Running {
  readonly operation: Operation;
  readonly request: RequestState;
  stepsTaken: number;
  outcome: Outcome | null;
}

export function begin(operation: Operation): Running {
  return { operation, request: {}, stepsTaken: 0, outcome: null };
}

function advance(state: State, running: Running): void {
  if (running.outcome) return;
  running.outcome = at(running.operation.steps, running.stepsTaken)(state, running.request);
  running.stepsTaken += 1;
}

/** Executes steps until `steps` of them are done, or until the request has an outcome. */
export function advanceTo(state: State, running: Running, steps: number): void {
  while (!running.outcome && running.stepsTaken < steps) advance(state, running);
}

export function finish(state: State, running: Running): Outcome {
  advanceTo(state, running, running.operation.steps.length);
  if (!running.outcome) throw new Error(`the model has no outcome of: ${running.operation.label}`);
  return running.outcome;
}

/**
 * Compares a response with the outcome in the model, and stores the tokens of the response in the model.
 *
 * @returns the difference, or null
 */
export function compareAndStore(
  state: State,
  outcome: Outcome,
  { answer, tokens, personalToken }: Observed,
): string | null {
  if ('ownerOfToken' in outcome) {
    if (!personalToken) return difference(answer, 'a personal access token');
    const { ownerOfToken: account, expiresAt } = outcome;
    state.personalTokens.push({ ...personalToken, account, isStored: true });
    return difference(personalToken.expiresAt, expiresAt);
  }
  if (!('session' in outcome))
    return difference({ tokens, answer }, { tokens: undefined, answer: outcome });
  if (!tokens) return difference(answer, `tokens of session ${outcome.session}`);
  const session = at(state.sessions, outcome.session);
  session.sid ??= newSid(state, tokens.facts);
  const kid = at(state.keys, 0);
  const iat = Math.floor(state.now / 1_000);
  const exp = iat + state.lifetimes.accessMs / 1_000;
  const facts: TokenFacts = {
    sub: at(state.accounts, session.account).id,
    sid: session.sid,
    iat,
    exp,
    kid,
    refresh: [kid, session.sid, outcome.counter],
  };
  const { accessToken, refreshToken } = tokens;
  const issuedBefore = state.refreshTokens.find(
    (token) =>
      token.session === outcome.session && token.counter === outcome.counter && token.kid === kid,
  );
  if (state.accessTokens.some(({ text }) => text === accessToken)) return 'a repeated access token';
  if (issuedBefore && issuedBefore.text !== refreshToken) return 'a different refresh token';
  state.accessTokens.push({ text: accessToken, session: outcome.session, kid, exp });
  const { session: index, counter } = outcome;
  if (!issuedBefore) state.refreshTokens.push({ text: refreshToken, session: index, counter, kid });
  return difference({ ...answer, ...tokens.facts }, { ...SUCCESS, ...facts });
}

const SUCCESS = {
  status: 200,
  code: '10000',
  message: 'success',
  instruction: null,
  data: undefined,
};

/**
 * The possible states of the model after two concurrent requests: one for each order of their steps that
 * results in these responses. Empty when no order does.
 */
export function statesAfterBoth(
  state: State,
  pair: readonly [Running, Running],
  observed: readonly [Observed, Observed],
): State[] {
  const unfinished = [0, 1].filter((index) => pair[index as 0 | 1].outcome === null);
  if (unfinished.length === 0) return [state];
  return unfinished.flatMap((index) => {
    const copy = copyOf(state);
    const copies: [Running, Running] = [copyOfRunning(pair[0]), copyOfRunning(pair[1])];
    const running = copies[index as 0 | 1];
    advance(copy, running);
    const isImpossible =
      running.outcome !== null &&
      compareAndStore(copy, running.outcome, observed[index as 0 | 1]) !== null;
    return isImpossible ? [] : statesAfterBoth(copy, copies, observed);
  });
}

function copyOfRunning(running: Running): Running {
  return { ...running, request: { ...running.request } };
}

/** The session id of a sign-in. If it is not new, the returned text differs from it, so that the comparison fails. */
function newSid({ sessions }: State, { sid }: TokenFacts): string {
  const isNew = typeof sid === 'string' && sessions.every((session) => session.sid !== sid);
  return isNew ? sid : 'a new session';
}

function difference(actual: unknown, expected: unknown): string | null {
  if (isDeepStrictEqual(actual, expected)) return null;
  const show = (value: unknown): string => inspect(value, { depth: 5, breakLength: 100 });
  return `answered ${show(actual)}\nexpected ${show(expected)}`;
}
