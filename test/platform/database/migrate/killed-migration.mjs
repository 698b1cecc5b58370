// `node killed-migration.mjs <N>` migrates the database of MONGODB_URI with the built server, and kills itself
// before its Nth write. With fewer writes it prints their number, the seconds of the migration, and its peak memory.
import { NestFactory } from '@nestjs/core';
import mongoose from 'mongoose';
import { AppModule } from '../../../../build/app.module.js';
import { BackgroundService } from '../../../../build/platform/jobs/background.service.js';
import { readEnv } from '../../../../build/platform/config/env.js';
import { MigrationService } from '../../../../build/platform/database/migrations/migration.service.js';

const [killBefore] = process.argv.slice(2);
const module = AppModule.register({ env: readEnv(), joinDatabase: true, servesRequests: false });
const app = await NestFactory.createApplicationContext(module, { logger: ['error'] });

let writes = 0;
const { prototype } = mongoose.mongo.Collection;
const UPDATES = ['updateOne', 'updateMany', 'findOneAndUpdate', 'bulkWrite', 'deleteMany'];
for (const method of [...UPDATES, 'dropIndex', 'createIndexes']) {
  const original = prototype[method];
  prototype[method] = async function (...args) {
    // Writes of the lock do not count as writes of the migrations.
    if (this.collectionName === 'background_jobs') return original.apply(this, args);
    writes += 1;
    if (writes === Number(killBefore)) {
      process.kill(process.pid, 'SIGKILL');
      // Writes nothing until the signal arrives.
      await new Promise(() => undefined);
    }
    return original.apply(this, args);
  };
}

// Stops background jobs: the outbox relay, for example, could write between the migration and the close.
await app.get(BackgroundService).beforeApplicationShutdown();
const startedAt = performance.now();
await app.get(MigrationService).run({ dryRun: false });
const seconds = Math.round((performance.now() - startedAt) / 1_000);
const megabytes = Math.round(process.resourceUsage().maxRSS / 1_024);
process.stdout.write(`${writes} writes, ${seconds} s, ${megabytes} MB`);
await app.close();
