// Makes a transition with the built server, and kills its own process before its Nth write of blogs and
// revisions, or before it answers if it makes fewer writes:
// node killed-transition.mjs <transition> <blog> <user> <title> <N>. MONGODB_URI names the database.
import { NestFactory } from '@nestjs/core';
import mongoose from 'mongoose';
import { AppModule } from '../../../../build/app.module.js';
import { toWorkingCopy } from '../../../../build/blog/core/blog-fields.js';
import { BlogTransitionService } from '../../../../build/blog/core/transitions/blog-transition.service.js';
import { readEnv } from '../../../../build/platform/config/env.js';

const [transition, blog, user, title, step] = process.argv.slice(2);
const module = AppModule.register({ env: readEnv(), joinDatabase: true, servesRequests: false });
const app = await NestFactory.createApplicationContext(module, { logger: ['error'] });

async function kill() {
  process.kill(process.pid, 'SIGKILL');
  // Waits for the signal.
  await new Promise(() => undefined);
}

let writes = 0;
const { prototype } = mongoose.mongo.Collection;
for (const method of ['insertOne', 'updateOne', 'findOneAndUpdate', 'deleteOne']) {
  const original = prototype[method];
  prototype[method] = async function (...args) {
    if (['blogs', 'blog_revisions'].includes(this.collectionName)) writes += 1;
    if (writes === Number(step)) await kill();
    return original.apply(this, args);
  };
}

await app.get(BlogTransitionService).apply(transition, {
  id: new mongoose.Types.ObjectId(blog),
  actor: new mongoose.Types.ObjectId(user),
  ifMatch: null,
  ...(transition === 'correct' ? { changes: toWorkingCopy({ title }) } : {}),
});
process.stderr.write(`writes: ${writes}`);
await kill();
