import { createApp } from '../app.js';
import type { Env } from '../config/env.js';
import { SetupService } from '../setup/setup.service.js';
import { stopOnSignals } from './stop-on-signals.js';
import { welcomeText } from './welcome.js';

/**
 * Runs the server in this process.
 *
 * @returns when it takes requests
 * @throws what creating, preparing and listening throw
 */
export async function serve(env: Env): Promise<void> {
  const app = await createApp(env);
  stopOnSignals(app);
  const preparation = await app.get(SetupService).prepare();
  await app.listen(env.PORT, env.HOST);
  process.stdout.write(welcomeText(await app.getUrl(), env, preparation));
}
