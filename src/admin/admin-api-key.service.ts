import { Injectable } from '@nestjs/common';
import { ApiKeyService } from '../apikey/api-key.service.js';
import type { CreatedApiKeyView } from '../apikey/views/api-key.view.js';
import { SecretBox } from '../auth/token/secret-box.service.js';
import type { Creation } from '../platform/idempotency/creation.js';
import { CreateApiKeyDto } from './dto/api-key.dto.js';

/** Creates API keys for admins. */
@Injectable()
export class AdminApiKeyService {
  constructor(
    private readonly apiKeys: ApiKeyService,
    private readonly box: SecretBox,
  ) {}

  /** @param creation of it the key is derived, so that a repetition shows it again; else it is random */
  create(dto: CreateApiKeyDto, creation: Creation | null): Promise<CreatedApiKeyView> {
    return this.apiKeys.create(dto, creation, creation ? this.box.derive('api key', creation) : []);
  }
}
