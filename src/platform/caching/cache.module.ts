import { Global, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ChangeStream } from './change-stream/change-stream.js';
import { CausalReadBarrier } from './causal-read-barrier.js';
import { Lease } from './lease.js';
import { CacheCoherenceService } from './cache-coherence.service.js';
import { FailoverReads } from './failover/failover-reads.js';
import { MemberProbes } from './failover/member-probes.js';
import { ReplicaSetMembers } from './failover/replica-set-members.js';
import { MemberConnections } from './failover/member-connections.js';
import { Heartbeat, HeartbeatSchema } from './change-stream/heartbeat.schema.js';

@Global()
@Module({
  imports: [MongooseModule.forFeature([{ name: Heartbeat.name, schema: HeartbeatSchema }])],
  providers: [
    CausalReadBarrier,
    MemberConnections,
    ReplicaSetMembers,
    MemberProbes,
    FailoverReads,
    Lease,
    ChangeStream,
    CacheCoherenceService,
  ],
  exports: [CacheCoherenceService],
})
export class CacheModule {}
