import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownFolder } from '../../support/program.ts';
import { provide } from '../../support/machine/packages.ts';
import type { PressroomOptions } from '../../support/servers/pressroom.ts';

/** Path of libfaketime. The dynamic linker replaces `$LIB` by the library folder of this machine. */
const LIBRARY = '/usr/$LIB/faketime/libfaketimeMT.so.1';

/** Fakes the time of day of one server by libfaketime. Its monotonic clock stays true. */
export class FakedClock {
  readonly #file = join(ownFolder().folder, 'time');

  /** @throws UserError when libfaketime is missing and cannot be installed */
  constructor(seconds: number) {
    provide(['faketime'], () => spawnSync('faketime', ['--version']).error === undefined || null);
    this.set(seconds);
  }

  get options(): PressroomOptions {
    return {
      env: {
        LD_PRELOAD: LIBRARY,
        FAKETIME_TIMESTAMP_FILE: this.#file,
        // libfaketime reads the file at every call, so the clock jumps at once.
        FAKETIME_NO_CACHE: '1',
        DONT_FAKE_MONOTONIC: '1',
        NO_FAKE_STAT: '1',
      },
    };
  }

  /** Makes the clock jump. @param seconds seconds ahead of the true time; negative: behind */
  set(seconds: number): void {
    writeFileSync(this.#file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`);
  }
}
