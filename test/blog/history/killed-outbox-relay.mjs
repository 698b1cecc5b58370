// Runs the relay of the built server once, and kills its own process at a step of it:
// node killed-outbox-relay.mjs <read|store|announce|clear> <after|half>. The database is that of MONGODB_URI.
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../../dist/app.module.js';
import { OutboxRelay } from '../../../dist/blog/history/outbox-relay.service.js';
import { readEnv } from '../../../dist/platform/config/env.js';

const [step, when] = process.argv.slice(2);
const module = AppModule.register({ env: readEnv(), joinDatabase: true, servesRequests: false });
const app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
const relay = app.get(OutboxRelay);

const original = relay[step].bind(relay);
relay[step] = async (batch = []) => {
  await original(when === 'half' ? batch.slice(0, Math.floor(batch.length / 2)) : batch);
  process.kill(process.pid, 'SIGKILL');
  // Until the signal comes.
  await new Promise(() => undefined);
};
await relay.run(new AbortController().signal);
process.exit(1);
