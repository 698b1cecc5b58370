import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { ResponsePacer } from '../common/bulkhead/response-pacer.js';
import { UnavailableError } from '../common/http/errors/api.errors.js';
import { DatabaseService } from '../database/database.service.js';
import { MigrationService } from '../database/migrations/migration.service.js';
import { NotReadyError } from './health.errors.js';
import { toHealthView, type HealthView } from './health.view.js';

@Injectable()
export class HealthService implements OnModuleDestroy {
  private isStopping = false;

  /** Nobody needs a key to ask, and most answers cost no question to the database. */
  private readonly pace = new ResponsePacer();

  constructor(
    private readonly database: DatabaseService,
    private readonly migrations: MigrationService,
    private readonly clock: Clock,
  ) {}

  onModuleDestroy(): void {
    this.isStopping = true;
  }

  /** The process answers; nothing else is touched. */
  live(): HealthView {
    return toHealthView(this.clock.now());
  }

  /** @throws UnavailableError when the database does not answer */
  async check(): Promise<HealthView> {
    await this.pace.turn();
    if (!(await this.database.isReachable())) {
      throw new UnavailableError('the database cannot be reached');
    }
    return this.live();
  }

  /** @throws UnavailableError naming what is missing before requests should come */
  async ready(): Promise<HealthView> {
    if (this.isStopping) throw new NotReadyError('the server is stopping');
    const health = await this.check();
    const pending = await this.migrations.pending();
    if (pending.length > 0) {
      throw new NotReadyError(`run "npm run migrate" (missing: ${pending.join(', ')})`);
    }
    return health;
  }
}
