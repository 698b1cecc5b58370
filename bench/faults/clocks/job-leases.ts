import type mongoose from 'mongoose';
import type { Bed } from '../bed/bed.ts';

/** How long a lease lasts (src/platform/database/lock/held-lock.ts), and how exact the times of the database are. */
const LEASE_MS = 15_000;
const TOLERANCE_MS = 1_000;

export interface SeenLeases {
  /** How often a job was claimed. */
  claims: number;
  readonly violations: string[];
}

interface Change {
  readonly wallTime: Date;
  readonly documentKey: { readonly _id: string };
  readonly fullDocument?: { readonly run?: string; readonly leasedUntil?: Date };
  readonly updateDescription?: { readonly updatedFields?: Change['fullDocument'] };
}

/** Follows all claims of background jobs, in the order of the database. @returns ends it */
export async function followLeases(bed: Bed): Promise<() => Promise<SeenLeases>> {
  const seen: SeenLeases = { claims: 0, violations: [] };
  const primary = await bed.replicaSet.primary();
  let end = () => {};
  const over = new Promise<void>((resolve) => (end = resolve));
  const until = new Map<string, Date>();
  const note = ({ wallTime, documentKey: { _id: job }, ...change }: Change) => {
    const { run, leasedUntil } =
      change.updateDescription?.updatedFields ?? change.fullDocument ?? {};
    const before = until.get(job);
    if (leasedUntil) until.set(job, leasedUntil);
    if (run === undefined || !leasedUntil) return;
    seen.claims += 1;
    const [now, lease] = [wallTime.getTime(), leasedUntil.getTime() - wallTime.getTime()];
    if (before && before.getTime() > now + TOLERANCE_MS) {
      seen.violations.push(`${job} claimed ${before.getTime() - now} ms before its lease ended`);
    }
    if (Math.abs(lease - LEASE_MS) > TOLERANCE_MS) {
      seen.violations.push(`${job} leased for ${lease} ms`);
    }
  };
  const following = primary.withClient(async (client: mongoose.mongo.MongoClient) => {
    const stream = client.db('pressroom').collection('background_jobs').watch();
    stream.on('change', (change) => note(change as unknown as Change));
    stream.on('error', (error) => seen.violations.push(String(error)));
    await over;
    await stream.close();
  }, 60_000);
  return async () => {
    end();
    await following;
    return seen;
  };
}
