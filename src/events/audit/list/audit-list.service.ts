import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import { withHint } from '../../../platform/database/query-hints.js';
import type { Cursor } from '../../../platform/http/pagination/cursor.js';
import { Listing } from '../../../platform/http/pagination/listing.js';
import { AUDIT_INDEXES, AuditRecord } from '../audit.schema.js';
import { AUDIT_FILTERS, AuditQuery } from './audit.query.js';
import { AUDIT_VIEW_FIELDS, toAuditView, type AuditView } from './audit.view.js';

type Filter = QueryFilter<AuditRecord>;
/** From a time up to, but without, another one. */
interface Span {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Reads the audit log, for admins and operators. */
@Injectable()
export class AuditListService {
  constructor(
    @InjectModel(AuditRecord.name) private readonly records: Model<AuditRecord>,
    private readonly coherence: CacheCoherenceService,
  ) {}

  /** A page of the records, newest first. */
  async list(query: AuditQuery): Promise<Listing<AuditView>> {
    const { cursor, limit } = query;
    const name = AUDIT_FILTERS.find((each) => query[each] !== undefined);
    const filter: Filter = { ...(name ? { [name]: query[name] } : {}), ...timesOf(query) };
    const found = await withHint(AUDIT_INDEXES[name ?? 'all'], (hint) =>
      this.coherence.read((options) =>
        this.records
          .find(cursor ? after(cursor, filter) : filter, null, { ...options, ...hint })
          .sort({ at: -1, _id: -1 })
          .limit(limit + 1)
          .select(AUDIT_VIEW_FIELDS)
          .lean<AuditRecord[]>(),
      ),
    );
    const records = found.slice(0, limit);
    const last = found.length > limit ? records.at(-1) : undefined;
    const end = last ? { at: last.at, id: last._id } : null;
    return new Listing(records.map(toAuditView), limit, end, undefined, repeatedParameters(query));
  }

  /** All records of a time, oldest first, one by one. */
  async *stream(span: Span): AsyncGenerator<AuditView> {
    const records = this.records
      .find(timesOf(span), null, { hint: AUDIT_INDEXES.all })
      .sort({ at: 1, _id: 1 })
      .select(AUDIT_VIEW_FIELDS)
      .lean<AuditRecord[]>()
      .cursor();
    for await (const record of records) yield toAuditView(record);
  }
}

function timesOf({ from, to }: Span): Filter {
  if (!from && !to) return {};
  return { at: { ...(from ? { $gte: from } : {}), ...(to ? { $lt: to } : {}) } };
}

/**
 * Selects the records after a cursor, as two ranges of one index that MongoDB merges. Each range repeats the whole
 * filter: otherwise MongoDB would scan one range, with every key that has the time of the cursor.
 */
function after({ at, id }: Cursor, filter: Filter): Filter {
  return {
    $or: [{ $and: [filter, { at: { $lt: at } }] }, { $and: [filter, { at, _id: { $lt: id } }] }],
  };
}

/** The query parameters that the link to the next page repeats. */
function repeatedParameters({ actor, subject, kind, from, to }: AuditQuery) {
  const values = {
    actor: actor?.toHexString(),
    subject: subject?.toHexString(),
    kind,
    from: from?.toISOString(),
    to: to?.toISOString(),
  };
  const given = Object.entries(values).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(given);
}
