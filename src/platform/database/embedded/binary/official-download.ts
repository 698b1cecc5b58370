import { request, type RequestOptions } from 'node:https';

/** The release to download: the one that mongodb-memory-server-core 11.3 is tested with. */
const OFFICIAL_VERSION = '8.2.6';
/** Release series of OFFICIAL_VERSION. */
export const OFFICIAL_SERIES = '8.2';
const REACH_TIMEOUT_MS = 2_500;
const IDLE_TIMEOUT_MS = 20_000;
const PROGRESS_EVERY_MS = 5_000;

/**
 * Downloads MongoDB's official archive for this system with mongodb-memory-server-core, which knows the
 * archive of each distribution and verifies its checksum.
 *
 * @param dir private folder for the download
 * @returns path of the binary inside `dir`
 * @throws {Error} with a one-line reason, within about 2.5 s when the host cannot be reached
 */
export async function downloadOfficial(dir: string, log: (line: string) => void): Promise<string> {
  // Only a start without a binary needs this library, and its import takes 25 MB and 150 ms.
  const { DryMongoBinary } = await import('mongodb-memory-server-core/lib/util/DryMongoBinary.js');
  const { MongoBinaryDownload } =
    await import('mongodb-memory-server-core/lib/util/MongoBinaryDownload.js');

  class SingleAttemptDownload extends MongoBinaryDownload {
    private isReached = false;
    private shownAt = 0;

    /**
     * Makes only one attempt, after a quick check that the host responds, because another source can be
     * tried.
     */
    override async httpDownload(
      url: URL,
      options: RequestOptions,
      location: string,
      temporary: string,
    ): Promise<string> {
      // The library checks certificates only when npm's strict-ssl setting is in the environment.
      const verified = { ...options, rejectUnauthorized: true };
      if (!this.isReached) await reach(url, verified);
      this.isReached = true;
      return super.httpDownload(url, verified, location, temporary, 1, 0, IDLE_TIMEOUT_MS);
    }

    override printDownloadProgress(chunk: { length: number }, isLast = false): void {
      const progress = this.dlProgress;
      progress.current += chunk.length;
      const now = performance.now();
      const interval = this.isTTY ? PROGRESS_EVERY_MS / 25 : PROGRESS_EVERY_MS;
      if (now - this.shownAt < interval && !isLast) return;
      this.shownAt = now;
      const text = progressLine(progress.current, progress.length);
      if (this.isTTY) process.stdout.write(`\r${text}${isLast ? '\n' : ''}`);
      else log(text);
    }
  }

  const system = await DryMongoBinary.generateOptions({ version: OFFICIAL_VERSION });
  log(`Downloading mongod ${OFFICIAL_VERSION} from MongoDB ...`);
  const download = new SingleAttemptDownload({ ...system, downloadDir: dir, checkMD5: true });
  return download.getMongodPath();
}

/** A progress bar of 30 characters, the percentage and the total in MB. Parameters are bytes. */
export function progressLine(current: number, total: number): string {
  const share = total > 0 ? Math.min(current / total, 1) : 0;
  const done = Math.round(share * 30);
  const bar = '#'.repeat(done) + '.'.repeat(30 - done);
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  return `[${bar}] ${Math.round(share * 100)} % of ${megabytes(total)} MB`;
}

/** Resolves when the host responds, with any status. */
function reach(url: URL, options: RequestOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = request(url, { ...options, method: 'HEAD' });
    const timer = setTimeout(() => {
      probe.destroy(new Error(`${url.hostname} does not answer within ${REACH_TIMEOUT_MS} ms`));
    }, REACH_TIMEOUT_MS);
    probe.on('response', (response) => {
      response.resume();
      resolve();
    });
    probe.on('error', (error) =>
      reject(new Error(`cannot reach ${url.hostname} (${error.message})`, { cause: error })),
    );
    probe.on('close', () => clearTimeout(timer));
    probe.end();
  });
}
