import type { Run } from '../client.ts';
import type { People } from '../people.ts';

/** Nobody has this name (RFC 6761), so the call fails. */
const URL_OF_NOBODY = 'https://hooks.invalid/hook';

/** The admin creates a webhook, rotates its secret, tests it, replays the events of an hour, and deletes it. */
export async function manageWebhook({ client, recorder }: Run, { admin }: People): Promise<void> {
  const step = 'webhooks';
  const body = { url: URL_OF_NOBODY, events: ['*'], enabled: false } as const;
  const { data: created } = await client.call(step, 'POST', '/admin/webhooks', { as: admin, body });
  const ofWebhook = { as: admin, path: { id: created._id } };
  const { data: rotated } = await client.call(
    step,
    'POST',
    '/admin/webhooks/id/{id}/rotate',
    ofWebhook,
  );
  recorder.check(step, rotated.secret !== created.secret, 'the secret is the same');
  const { data: attempt } = await client.call(
    step,
    'POST',
    '/admin/webhooks/id/{id}/test',
    ofWebhook,
  );
  recorder.check(step, attempt.error !== undefined, 'somebody has answered');
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const { data: replay } = await client.call(step, 'POST', '/admin/webhooks/id/{id}/replay', {
    ...ofWebhook,
    body: { since },
  });
  const deliveries = '/admin/webhooks/id/{id}/deliveries';
  const { data: listed } = await client.call(step, 'GET', deliveries, ofWebhook);
  const isListed = replay.deliveries > 0 && listed.length > 0;
  recorder.check(step, isListed, 'the replay made no delivery, or none is listed');
  await client.call(step, 'DELETE', '/admin/webhooks/id/{id}', ofWebhook);
}
