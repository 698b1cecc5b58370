import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { LoginThrottleService } from './login-throttle.service.js';
import { RateLimitService } from './rate-limit.service.js';
import { RateLimit, RateLimitSchema } from './rate-limit.schema.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: RateLimit.name, schema: RateLimitSchema }])],
  providers: [RateLimitService, LoginThrottleService],
  exports: [RateLimitService, LoginThrottleService],
})
export class RateLimitModule {}
