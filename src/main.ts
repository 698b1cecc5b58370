import { createApp } from './app.js';
import { readEnv } from './config/env.js';
import { failWith } from './setup/fail-with.js';
import { SetupService } from './setup/setup.service.js';
import { stopOnSignals } from './setup/stop-on-signals.js';
import { welcomeText } from './setup/welcome.js';

try {
  const env = readEnv();
  const app = await createApp(env);
  stopOnSignals(app);
  const preparation = await app.get(SetupService).prepare();
  await app.listen(env.PORT, env.HOST);
  process.stdout.write(welcomeText(await app.getUrl(), env, preparation));
} catch (error) {
  failWith(error);
}
