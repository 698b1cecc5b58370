// Builds the site again when Pressroom calls: WEBHOOK_SECRET=whsec_… node rebuild.mjs
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const build = () => execFileSync('npx', ['eleventy'], { stdio: 'inherit' });

createServer(async (request, response) => {
  try {
    webhook.verify(await text(request), request.headers);
  } catch {
    return response.writeHead(401).end();
  }
  response.writeHead(204).end();
  build();
}).listen(Number(process.env.PORT ?? 3200), '127.0.0.1', build);
