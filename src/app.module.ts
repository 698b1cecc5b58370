import { Global, Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { LoadLimit } from './platform/overload/load-limit.js';
import { AdminModule } from './admin/admin.module.js';
import { ApiKeyModule } from './apikey/api-key.module.js';
import { ApiKeyGuard } from './apikey/api-key.guard.js';
import { AuthModule } from './auth/auth.module.js';
import { ProviderOnlyGuard } from './auth/guards/provider-only.guard.js';
import { RolesGuard } from './auth/guards/roles.guard.js';
import { TokenGuard } from './auth/guards/token.guard.js';
import { BlogAuthorModule } from './blog/author/blog-author.module.js';
import { BlogCommentsModule } from './blog/comments/blog-comments.module.js';
import { BlogEditorModule } from './blog/editor/blog-editor.module.js';
import { EventsModule } from './events/list/events.module.js';
import { BlogContributorsModule } from './blog/contributors/blog-contributors.module.js';
import { BlogHandoverModule } from './blog/handover/blog-handover.module.js';
import { BlogJobsModule } from './blog/jobs/blog-jobs.module.js';
import { BlogTrashModule } from './blog/trash/blog-trash.module.js';
import { BlogPreviewsModule } from './blog/previews/blog-previews.module.js';
import { BlogPublicModule } from './blog/public/blog-public.module.js';
import { BlogRevisionsModule } from './blog/revisions/blog-revisions.module.js';
import { BlogScheduleModule } from './blog/schedule/blog-schedule.module.js';
import type { AccessGuard } from './platform/http/access/access.guard.js';
import { Admission } from './platform/http/access/admission/admission.js';
import { PlatformModule } from './platform/platform.module.js';
import { ApiExceptionFilter } from './platform/http/errors/exception.filter.js';
import { InputPipe } from './platform/http/input/input.pipe.js';
import { Env } from './platform/config/env.js';
import { ContactModule } from './contact/contact.module.js';
import { DatabaseModule } from './platform/database/database.module.js';
import type { MongoLocation } from './platform/database/mongo-location.js';
import { FeedsModule } from './feeds/feeds.module.js';
import { HealthModule } from './health/health.module.js';
import { CacheModule } from './platform/caching/cache.module.js';
import { ImportModule } from './transfer/import/import.module.js';
import { migrationsOf } from './migrations.js';
import { NoticesModule } from './events/notices/notices.module.js';
import { MediaModule } from './blog/media/media.module.js';
import { MailModule } from './events/mail/mail.module.js';
import { ProfileModule } from './profile/profile.module.js';
import { WebhooksModule } from './events/webhooks/webhooks.module.js';
import { SetupModule } from './cli/setup/setup.module.js';

export interface AppOptions {
  readonly env: Env;
  /** The database that the process has begun to open. */
  readonly location?: Promise<MongoLocation> | undefined;
  /** Whether the process may use an embedded database that another process runs; false for a server. */
  readonly joinDatabase?: boolean;
  /**
   * Whether the process serves requests; false for scripts and database preparation, whose database
   * operations have no short timeouts.
   */
  readonly servesRequests?: boolean;
}

/** The global guards, in the order in which they run. */
const GUARDS = [ApiKeyGuard, TokenGuard, RolesGuard, ProviderOnlyGuard];

/**
 * The features and the request pipeline:
 *
 * 1. Before the body is read, Admission calls the guards and then checks the headers of the body
 *    (register-admission.ts).
 * 2. The pipe runs, and then the controller. Before them, the guards check a request that Admission has not seen.
 * 3. The adapter puts what the controller returns into the envelope (api.adapter.ts).
 *
 * ApiExceptionFilter renders every error that one of these steps throws.
 */
@Global()
@Module({})
export class AppModule {
  static register({
    env,
    location,
    joinDatabase = false,
    servesRequests = true,
  }: AppOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.register({
          migrations: migrationsOf(env),
          location,
          join: joinDatabase,
          servesRequests,
        }),
        PlatformModule,
        CacheModule,
        AuthModule,
        ProfileModule,
        BlogAuthorModule,
        BlogEditorModule,
        BlogPreviewsModule,
        BlogPublicModule,
        FeedsModule.register(env),
        BlogRevisionsModule,
        BlogCommentsModule,
        BlogScheduleModule,
        BlogTrashModule,
        ContactModule,
        AdminModule,
        ApiKeyModule,
        BlogHandoverModule,
        BlogJobsModule,
        BlogContributorsModule,
        MediaModule,
        MailModule,
        NoticesModule,
        EventsModule,
        WebhooksModule,
        HealthModule,
        SetupModule,
        ImportModule,
      ],
      providers: [
        { provide: Env, useValue: env },
        LoadLimit,
        ...GUARDS,
        ...GUARDS.map((guard) => ({ provide: APP_GUARD, useExisting: guard })),
        {
          provide: Admission,
          inject: GUARDS,
          useFactory: (...guards: AccessGuard[]) => new Admission(guards),
        },
        { provide: APP_PIPE, useClass: InputPipe },
        { provide: APP_FILTER, useClass: ApiExceptionFilter },
      ],
      exports: [Env, Admission],
    };
  }
}
