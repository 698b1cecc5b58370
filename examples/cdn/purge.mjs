// Receives Pressroom's webhooks, and purges from Varnish what each one names.
//   WEBHOOK_SECRET=whsec_… VARNISH=http://127.0.0.1:6081 PORT=3100 node purge.mjs
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const { WEBHOOK_SECRET, VARNISH = 'http://127.0.0.1:6081', PORT = '3100' } = process.env;
const webhook = new Webhook(WEBHOOK_SECRET);

async function purge(tags) {
  const headers = { 'Purge-Tags': tags.join(' ') };
  const { ok, status } = await fetch(VARNISH, { method: 'PURGE', headers });
  if (!ok) throw new Error(`Varnish answered ${status}`);
}

createServer(async (request, response) => {
  let tags;
  try {
    const { data } = webhook.verify(await text(request), request.headers);
    tags = data.cacheTags ?? [];
  } catch {
    return response.writeHead(401).end();
  }
  try {
    if (tags.length > 0) {
      await purge(tags);
      // The purge is repeated, because an answer that Varnish was fetching during the first one may
      // be older than the change.
      setTimeout(() => purge(tags).catch(console.error), 3_000);
    }
    response.writeHead(204).end();
  } catch (error) {
    // Pressroom sends the webhook again.
    console.error(error);
    response.writeHead(502).end();
  }
}).listen(Number(PORT), '127.0.0.1');
