import type { mongo } from 'mongoose';
import { Types } from 'mongoose';
import type { AuditRecord } from '../../../src/events/audit/audit.schema.js';
import { AuditService } from '../../../src/events/audit/audit.service.js';
import { AuditRetention } from '../../../src/events/audit/seals/audit-retention.job.js';
import type { AuditSeal } from '../../../src/events/audit/seals/audit-seal.schema.js';
import { AuditSealer } from '../../../src/events/audit/seals/audit-sealer.job.js';
import {
  AuditVerifier,
  type AuditReport,
  type LoggedSeal,
} from '../../../src/events/audit/seals/audit-verifier.service.js';
import { startApp, type TestApp } from '../../support/start-app.js';

export interface AuditFixture {
  readonly server: TestApp;
  readonly records: mongo.Collection<AuditRecord>;
  readonly seals: mongo.Collection<AuditSeal>;
  /** Records acts, all at once. */
  record(count: number): Promise<void>;
  /** @param steps after which the run is aborted, as if the process was killed there */
  seal(steps?: number): Promise<string | null>;
  /** @param steps see `seal` */
  expire(steps?: number): Promise<string | null>;
  verify(logged?: LoggedSeal): Promise<AuditReport>;
}

export async function openAuditFixture(
  options: Parameters<typeof startApp>[0] = {},
): Promise<AuditFixture> {
  const server = await startApp(options);
  const get = <Service>(service: new (...given: never[]) => Service) =>
    server.app.get<Service>(service, { strict: false });
  return {
    server,
    records: server.db.collection<AuditRecord>('audit'),
    seals: server.db.collection<AuditSeal>('audit_seals'),
    record: async (count) => {
      const actor = { userId: new Types.ObjectId(), clientPrefix: '203.0.113.0/24' };
      const act = { kind: 'user.status', actor, details: { enabled: true } } as const;
      const audit = get(AuditService);
      const subjects = Array.from({ length: count }, () => new Types.ObjectId());
      await Promise.all(subjects.map((subject) => audit.record({ ...act, subject }, null)));
    },
    seal: (steps) => get(AuditSealer).run(abortedAfter(steps)),
    expire: (steps) => get(AuditRetention).run(abortedAfter(steps)),
    verify: (logged) => get(AuditVerifier).verify(logged),
  };
}

/** A signal that is aborted once it was asked so many times. */
function abortedAfter(steps = Infinity): AbortSignal {
  let asked = 0;
  return {
    get aborted() {
      asked += 1;
      return asked > steps;
    },
  } as AbortSignal;
}
