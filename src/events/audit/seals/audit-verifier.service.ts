import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { AuditCollections, MAJORITY } from './audit-collections.js';
import type { AuditSeal } from './audit-seal.schema.js';
import { SealSigner } from './seal-signer.js';
import { digestOf, expiryText, sealText } from './sealed-text.js';

/** What a verification may find, with its meaning. */
export const FAULTS = {
  altered: 'a record of this seal was altered, or the list of its records',
  missing: 'records of this seal were removed',
  added: 'records claim this seal without being covered by it',
  forged: 'the seal itself was altered',
  broken: 'seals before this one were removed or replaced',
  gone: 'the log has this seal, but the database has not: the newest seals were removed, or a backup was restored',
} as const;

export interface Finding {
  /** Number of the seal. */
  readonly seal: number;
  readonly fault: keyof typeof FAULTS;
}

/** A seal as the log has it. */
export interface LoggedSeal {
  readonly number: number;
  readonly mac: string;
}

export interface AuditReport {
  /** Number of seals whose records are kept. */
  readonly seals: number;
  /** Number of records that these seals cover. */
  readonly records: number;
  /** Number of records that no seal covers yet. */
  readonly unsealed: number;
  /** The newest seal, to compare with a later log. */
  readonly newest: LoggedSeal | null;
  readonly findings: readonly Finding[];
  /** Numbers of the seals that cannot be checked, because their signing key is not configured any more. */
  readonly unchecked: readonly number[];
}

/** Compares the audit records with their seals. */
@Injectable()
export class AuditVerifier {
  constructor(
    private readonly stored: AuditCollections,
    private readonly signer: SealSigner,
  ) {}

  /**
   * Walks all seals in order. The server may seal and remove records meanwhile.
   *
   * @param logged a seal that must be there, unless it has expired: so a missing end of the log shows
   */
  async verify(logged: LoggedSeal | null = null): Promise<AuditReport> {
    let findings: Finding[] = [];
    let unchecked: number[] = [];
    let before: AuditSeal | null = null;
    let [seals, records, lowest] = [0, 0, 1];
    for await (const seal of this.stored.seals.find({}, MAJORITY).sort({ _id: 1 })) {
      // The chain begins with an expiry: what stands before it is being removed.
      if (seal.expiry) [findings, unchecked, seals, records, lowest] = [[], [], 0, 0, seal._id];
      else [seals, records] = [seals + 1, records + (seal.records?.length ?? 0)];
      const isSigned = this.isSigned(seal);
      if (isSigned === null) unchecked.push(seal._id);
      const faults = [
        ...(seal.expiry || follows(seal, before) ? [] : (['broken'] as const)),
        ...(isSigned === false ? (['forged'] as const) : []),
        ...(await this.faultsOfRecords(seal, before)),
      ];
      findings.push(...faults.map((fault) => ({ seal: seal._id, fault })));
      before = seal;
    }
    findings.push(...(await this.strays(before)));
    if (logged && logged.number >= lowest && !(await this.has(logged))) {
      findings.push({ seal: logged.number, fault: 'gone' });
    }
    const newest = before && { number: before._id, mac: before.mac };
    const isUnsealed = { seal: { $exists: false } };
    const unsealed = await this.stored.records.countDocuments(isUnsealed, MAJORITY);
    return { seals, records, unsealed, newest, findings, unchecked };
  }

  /** @returns null when the signing key is not configured any more */
  private isSigned(seal: AuditSeal): boolean | null {
    const { expiry } = seal;
    return expiry
      ? this.signer.isSigned(expiryText(seal, expiry.at), expiry)
      : this.signer.isSigned(sealText(seal), seal);
  }

  private async faultsOfRecords(
    seal: AuditSeal,
    before: AuditSeal | null,
  ): Promise<Finding['fault'][]> {
    const { _id, records: ids = [], digest } = seal;
    const claimed = { seal: { $gt: before?._id ?? -Infinity, $lte: _id } };
    const [records, claims] = await Promise.all([
      this.stored.records.find({ _id: { $in: [...ids] } }, MAJORITY).toArray(),
      this.stored.records.find(claimed, { projection: { _id: 1 }, ...MAJORITY }).toArray(),
    ]);
    const covered = new Set(ids.map((id) => String(id)));
    const isAdded = claims.some((claim) => !covered.has(String(claim._id)));
    const added = isAdded ? (['added'] as const) : [];
    if (seal.expiry) return [...added];
    const isMissing = records.length < ids.length;
    const isAltered = !isMissing && digestOf(records) !== digest;
    if (!isMissing && !isAltered) return [...added];
    // The records may have expired since the seal was read.
    const now = await this.stored.seals.findOne({ _id }, MAJORITY);
    if (!now?.records || now.expiry) return [];
    return [...added, isMissing ? 'missing' : 'altered'];
  }

  /** Records that claim a seal after the last one, or none that there can be. */
  private async strays(last: AuditSeal | null): Promise<Finding[]> {
    const claimed = { seal: { $exists: true, $not: { $lte: last?._id ?? 0 } } };
    const strays = await this.stored.records
      .find(claimed, { projection: { seal: 1 }, ...MAJORITY })
      .toArray();
    const claimedSeals = new Set<number>();
    for (const { _id, seal = 0 } of strays) {
      if (!(await this.isSealedNow(_id, seal))) claimedSeals.add(seal);
    }
    return [...claimedSeals].map((seal) => ({ seal, fault: 'added' }));
  }

  /** Whether the server has sealed the record since the seals were read. */
  private async isSealedNow(id: Types.ObjectId, seal: number): Promise<boolean> {
    const found = await this.stored.seals.findOne({ _id: seal, records: id }, MAJORITY);
    return found !== null;
  }

  private async has({ number, mac }: LoggedSeal): Promise<boolean> {
    return (await this.stored.seals.findOne({ _id: number, mac }, MAJORITY)) !== null;
  }
}

function follows({ _id, previous }: AuditSeal, before: AuditSeal | null): boolean {
  return _id === (before?._id ?? 0) + 1 && previous === (before?.mac ?? '');
}
