import { mongo } from './global-setup.mjs';

export default async function stopMongo() {
  await mongo.stop();
}
