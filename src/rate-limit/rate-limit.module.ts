import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { GuessLimitService } from './guess-limit.service.js';
import { RateLimitService } from './rate-limit.service.js';
import { RateLimit, RateLimitSchema } from './schemas/rate-limit.schema.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: RateLimit.name, schema: RateLimitSchema }])],
  providers: [RateLimitService, GuessLimitService],
  exports: [RateLimitService, GuessLimitService],
})
export class RateLimitModule {}
