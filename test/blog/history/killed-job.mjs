// Runs a background job of the built server once, and kills its own process after a step of the job:
// node killed-job.mjs <file below build/blog> <class> <step> <after|half>. `half`: after half of the batch.
// MONGODB_URI names the database.
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../../build/app.module.js';
import { readEnv } from '../../../build/platform/config/env.js';

const [file, name, step, when] = process.argv.slice(2);
const { [name]: Job } = await import(`../../../build/blog/${file}`);
const module = AppModule.register({ env: readEnv(), joinDatabase: true, servesRequests: false });
const app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
const job = app.get(Job);

const original = job[step].bind(job);
job[step] = async (batch) => {
  await original(when === 'half' ? batch.slice(0, Math.floor(batch.length / 2)) : batch);
  process.kill(process.pid, 'SIGKILL');
  // The signal may take a moment.
  await new Promise(() => undefined);
};
await job.run(new AbortController().signal);
process.exit(1);
