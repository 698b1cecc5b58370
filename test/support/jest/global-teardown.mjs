import { rmSync } from 'node:fs';
import { folder, mongo } from './global-setup.mjs';

export default async function stopMongo() {
  await mongo.stop();
  rmSync(folder, { recursive: true, force: true });
}
