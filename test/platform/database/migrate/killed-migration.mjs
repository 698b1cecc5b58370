// Migrates with the built server, and kills its own process before its Nth write, or, when there are fewer,
// prints their number, the seconds, and the most memory that it had: node killed-migration.mjs <N>. The database is that of MONGODB_URI.
import { NestFactory } from '@nestjs/core';
import mongoose from 'mongoose';
import { AppModule } from '../../../../dist/app.module.js';
import { BackgroundService } from '../../../../dist/platform/jobs/background.service.js';
import { readEnv } from '../../../../dist/platform/config/env.js';
import { MigrationService } from '../../../../dist/platform/database/migrations/migration.service.js';

const [killBefore] = process.argv.slice(2);
const module = AppModule.register({ env: readEnv(), joinDatabase: true, servesRequests: false });
const app = await NestFactory.createApplicationContext(module, { logger: ['error'] });

let writes = 0;
const { prototype } = mongoose.mongo.Collection;
const UPDATES = ['updateOne', 'updateMany', 'findOneAndUpdate', 'bulkWrite', 'deleteMany'];
for (const method of [...UPDATES, 'dropIndex', 'createIndexes']) {
  const original = prototype[method];
  prototype[method] = async function (...args) {
    // The lease is no work of the migrations.
    if (this.collectionName === 'background_jobs') return original.apply(this, args);
    writes += 1;
    if (writes === Number(killBefore)) {
      process.kill(process.pid, 'SIGKILL');
      // Until the signal comes.
      await new Promise(() => undefined);
    }
    return original.apply(this, args);
  };
}

// Else a tick between the last write and the close may begin a job, such as the relay of events.
await app.get(BackgroundService).beforeApplicationShutdown();
const startedAt = performance.now();
await app.get(MigrationService).run({ dryRun: false });
const seconds = Math.round((performance.now() - startedAt) / 1_000);
const megabytes = Math.round(process.resourceUsage().maxRSS / 1_024);
process.stdout.write(`${writes} writes, ${seconds} s, ${megabytes} MB`);
await app.close();
