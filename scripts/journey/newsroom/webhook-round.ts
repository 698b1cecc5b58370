import type { Run } from '../client.ts';
import type { People } from '../people.ts';

/** Refused before a connection is made: nobody is called. With `WEBHOOK_PRIVATE=on` nobody answers. */
const URL_OF_NOBODY = 'https://127.0.0.1:1/hook';

interface Created {
  readonly _id: string;
  readonly secret: string;
}

/** The admin makes a webhook, tries it, has the events of an hour sent again, and deletes it. */
export async function keepWebhook({ client, recorder }: Run, { admin }: People): Promise<void> {
  const step = 'webhooks';
  const call = <Data>(method: string, rest: string, body?: object) =>
    client.call<Data>(step, method, `/admin/webhooks${rest}`, { as: admin, body });
  const fields = { url: URL_OF_NOBODY, events: ['*'], enabled: false };
  const { data: created } = await call<Created>('POST', '', fields);
  const path = `/id/${created._id}`;
  const { data: rotated } = await call<Created>('POST', `${path}/rotate`);
  recorder.check(step, rotated.secret !== created.secret, 'the secret is the same');
  const { data: attempt } = await call<{ error?: string }>('POST', `${path}/test`);
  recorder.check(step, attempt.error !== undefined, 'somebody has answered');
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const { data: replay } = await call<{ deliveries: number }>('POST', `${path}/replay`, { since });
  const { data: listed } = await call<readonly { state: string }[]>('GET', `${path}/deliveries`);
  const isListed = replay.deliveries > 0 && listed.length > 0;
  recorder.check(step, isListed, 'nothing is to be sent again');
  await call('DELETE', path);
}
