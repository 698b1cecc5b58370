import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import type { MigrationReport } from '../../platform/database/migrations/migration.js';
import { SecretBox, type SealedText } from './secret-box.service.js';
import { SigningKeys } from './signing-keys.js';

/** Where records have sealed texts: the collection, and the field. */
const SEALED: readonly (readonly [collection: string, field: string])[] = [
  ['mails', 'contents'],
  ['factors', 'secret'],
  ['webhooks', 'secret'],
  ['api_keys', 'sealed'],
];

/**
 * Seals texts anew under the first signing key, so that the former key can be removed. A text that is sealed under an
 * unknown key stays, and is reported.
 */
@Injectable()
export class Resealing {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly box: SecretBox,
    private readonly keys: SigningKeys,
  ) {}

  /** @param options with `dryRun`, returns the same report and writes nothing */
  async run({ dryRun }: { readonly dryRun: boolean }): Promise<MigrationReport> {
    const reports: MigrationReport[] = [];
    for (const [collection, field] of SEALED) {
      reports.push(await this.reseal(collection, field, dryRun));
    }
    return {
      changed: reports.flatMap(({ changed }) => changed),
      unresolved: reports.flatMap(({ unresolved }) => unresolved),
    };
  }

  private async reseal(
    collection: string,
    field: string,
    dryRun: boolean,
  ): Promise<MigrationReport> {
    const records = this.connection.collection(collection);
    let [changed, unknown] = [0, 0];
    const former = { [`${field}.kid`]: { $exists: true, $ne: this.keys.current.kid } };
    for await (const record of records.find(former, { projection: { [field]: 1 } })) {
      const sealed = record[field] as SealedText;
      const text = this.box.open(sealed);
      if (text === null) {
        unknown += 1;
        continue;
      }
      changed += 1;
      if (dryRun) continue;
      // The condition keeps a text that somebody has replaced meanwhile.
      const unchanged = { _id: record._id, [`${field}.data`]: sealed.data };
      await records.updateOne(unchanged, { $set: { [field]: this.box.seal(text) } });
    }
    const line = (count: number, what: string): string[] =>
      count === 0 ? [] : [`${collection}.${field}: ${count} ${what}`];
    return {
      changed: line(changed, 'sealed anew under the present signing key'),
      unresolved: line(unknown, 'sealed under a signing key that is not configured any more'),
    };
  }
}
