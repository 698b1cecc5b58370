import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ATTACKER = fileURLToPath(new URL('attacker.mjs', import.meta.url));

/** Slow connections from a process of their own, so that their timers do not delay the readers'. */
export class Attack {
  #child;
  #cut;

  /** @returns once all of them are opening */
  static async start(url, count) {
    const attack = new Attack();
    attack.#child = fork(ATTACKER, [url, String(count)]);
    attack.#cut = new Promise((resolve) => {
      attack.#child.on('message', (message) => {
        if (message.cut) resolve(message.cut);
      });
    });
    await once(attack.#child, 'message');
    return attack;
  }

  /** @returns each with its kind and the seconds until it was cut; Infinity for those that were not */
  async untilCut(patienceSeconds) {
    this.#child.send({ patienceSeconds });
    return { cut: (await this.#cut).map((one) => ({ ...one, seconds: one.seconds ?? Infinity })) };
  }

  async stop() {
    if (this.#child.exitCode !== null) return;
    this.#child.kill();
    await once(this.#child, 'exit');
  }
}
