// Makes the due webhook calls with the built server, and kills its own process before or after a step:
// node killed-dispatcher.mjs <before|after> <add|send|record>. MONGODB_URI names the database.
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../../build/app.module.js';
import { readEnv } from '../../../build/platform/config/env.js';
import { DeliveryStore } from '../../../build/events/webhooks/deliveries/delivery-store.js';
import { WebhookDispatcher } from '../../../build/events/webhooks/deliveries/webhook-dispatcher.job.js';
import { WebhookSender } from '../../../build/events/webhooks/sending/webhook-sender.js';

const [when, step] = process.argv.slice(2);
const module = AppModule.register({ env: readEnv(), joinDatabase: true, servesRequests: false });
const app = await NestFactory.createApplicationContext(module, { logger: ['error'] });

const owner = app.get(step === 'send' ? WebhookSender : DeliveryStore);
const original = owner[step].bind(owner);
owner[step] = async (...given) => {
  if (when === 'after') await original(...given);
  process.kill(process.pid, 'SIGKILL');
  // Waits until the signal arrives.
  await new Promise(() => undefined);
};
await app.get(WebhookDispatcher).run(new AbortController().signal);
process.exit(1);
