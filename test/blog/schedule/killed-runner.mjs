// Makes the due moves with the built server once, and kills its own process after a step of it:
// node killed-runner.mjs <read|make>. The database is that of MONGODB_URI.
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../../dist/app.module.js';
import { ScheduleRunner } from '../../../dist/blog/schedule/schedule-runner.service.js';
import { readEnv } from '../../../dist/platform/config/env.js';

const [step] = process.argv.slice(2);
const module = AppModule.register({ env: readEnv(), joinDatabase: true, servesRequests: false });
const app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
const runner = app.get(ScheduleRunner);

const original = runner[step].bind(runner);
runner[step] = async (due) => {
  await original(due);
  process.kill(process.pid, 'SIGKILL');
  // Until the signal comes.
  await new Promise(() => undefined);
};
await runner.run(new AbortController().signal);
process.exit(1);
