import { Global, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ChangeFeed } from './change-feed.js';
import { Fence } from './fence.js';
import { Lease } from './lease.js';
import { MemoryService } from './memory.service.js';
import { Beat, BeatSchema } from './schemas/beat.schema.js';

@Global()
@Module({
  imports: [MongooseModule.forFeature([{ name: Beat.name, schema: BeatSchema }])],
  providers: [Fence, Lease, ChangeFeed, MemoryService],
  exports: [MemoryService],
})
export class MemoryModule {}
