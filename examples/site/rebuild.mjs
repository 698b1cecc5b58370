// Builds the site again when Pressroom calls: WEBHOOK_SECRET=whsec_… node rebuild.mjs
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const build = () => spawnSync('npx', ['eleventy'], { stdio: 'inherit' });

createServer(async (request, response) => {
  try {
    webhook.verify(await text(request), request.headers);
    response.writeHead(204).end(build);
  } catch {
    response.writeHead(401).end();
  }
}).listen(Number(process.env.PORT ?? 3200), '127.0.0.1', build);
