// Runs a background job of the built server once, and kills its own process after a step of the job:
// node killed-job.mjs <file below build/blog> <class> <step> <after|half> [<file> <class>]. `half`: after half of the
// batch. The last two name the class of the step, if it is not the job's.
// MONGODB_URI names the database.
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../../build/app.module.js';
import { readEnv } from '../../../build/platform/config/env.js';

const [file, name, step, when, ...owner] = process.argv.slice(2);
const classOf = async (path, key) => (await import(`../../../build/blog/${path}`))[key];
const Job = await classOf(file, name);
const module = AppModule.register({ env: readEnv(), joinDatabase: true, servesRequests: false });
const app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
const job = app.get(Job, { strict: false });
const service = owner.length > 0 ? app.get(await classOf(...owner), { strict: false }) : job;

const original = service[step].bind(service);
service[step] = async (batch, ...others) => {
  const part = when === 'half' ? batch.slice(0, Math.floor(batch.length / 2)) : batch;
  await original(part, ...others);
  process.kill(process.pid, 'SIGKILL');
  // The signal may take a moment.
  await new Promise(() => undefined);
};
await job.run(new AbortController().signal);
process.exit(1);
