import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { ResponsePacer } from '../platform/overload/bulkhead/response-pacer.js';
import { UnavailableError } from '../platform/http/errors/api.errors.js';
import { DatabaseService } from '../platform/database/database.service.js';
import { MigrationService } from '../platform/database/migrations/migration.service.js';
import { NotReadyError } from './health.errors.js';
import { toHealthView, type HealthView } from './health.view.js';

/** Milliseconds after which a probe asks again what is to be migrated: the database may have been dropped. */
const RECHECK_MS = 5_000;

@Injectable()
export class HealthService {
  private isStopping = false;

  /** Delays the health checks of the database, because anyone can request them without an API key. */
  private readonly pacer = new ResponsePacer();

  constructor(
    private readonly database: DatabaseService,
    private readonly migrations: MigrationService,
    private readonly clock: Clock,
  ) {}

  /** Marks the server as not ready from now on, because it stops. */
  noteStop(): void {
    this.isStopping = true;
  }

  /** Shows that the process responds, without a query to the database. */
  live(): HealthView {
    return toHealthView(this.clock.now());
  }

  /** @throws UnavailableError when the database cannot be reached */
  async check(): Promise<HealthView> {
    await this.pacer.waitTurn();
    if (!(await this.database.isReachable())) {
      throw new UnavailableError('the database cannot be reached', 'unavailable');
    }
    return this.live();
  }

  /** @throws UnavailableError that says why the server is not ready for requests */
  async ready(): Promise<HealthView> {
    if (this.isStopping) throw new NotReadyError('the server is stopping');
    const health = await this.check();
    const pending = await this.migrations.pending(RECHECK_MS);
    if (pending.length > 0) {
      throw new NotReadyError(`run "npm run migrate" (missing: ${pending.join(', ')})`);
    }
    return health;
  }
}
