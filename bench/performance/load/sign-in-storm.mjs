import { percentilesOf, runLoad } from './open-loop.mjs';

/** What Pressroom says in `Retry-After` when too many passwords wait. */
const RETRY_AFTER_MS = 1_000;

/**
 * So many clients that sign in with right passwords, each again and again, for some seconds.
 *
 * What is checked: that each answer is a pair of tokens for that account, or a 503 with its code.
 *
 * @param read `{ path, headers }` of what the clients read to be warm
 * @param waitsWhenRefused whether a client that was answered 503 waits as long as it was told
 * @param ready is waited for when the clients are warm
 * @returns a measure of those that were let in, and how many were `refused`
 * @throws Error for any other answer
 */
export async function signInStorm(
  { server, accounts, apiKey, read, inFlight, seconds, waitsWhenRefused, ready },
  cpus,
) {
  const job = {
    url: server.url,
    headers: { 'x-api-key': apiKey },
    accounts,
    read,
    inFlight,
    seconds,
    waitsWhenRefused,
    retryAfterMs: RETRY_AFTER_MS,
  };
  const { latencies, refused, problems } = await runLoad('storm', job, cpus, ready);
  if (problems.count > 0) {
    throw new Error(`${problems.count} sign-ins went wrong, such as: ${problems.sample}`);
  }
  const requests = latencies.length;
  return { rate: requests / seconds, ...percentilesOf(latencies), requests, refused, errors: 0 };
}
